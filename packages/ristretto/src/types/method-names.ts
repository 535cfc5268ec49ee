/** The HTTP methods that routes are registered for, in lower case, as Node's `http.METHODS` has them. */

// prettier-ignore
export type MethodName =
  | 'acl' | 'bind' | 'checkout' | 'copy' | 'delete' | 'get' | 'head' | 'link' | 'lock' | 'm-search' | 'merge'
  | 'mkactivity' | 'mkcalendar' | 'mkcol' | 'move' | 'notify' | 'options' | 'patch' | 'post' | 'propfind'
  | 'proppatch' | 'purge' | 'put' | 'rebind' | 'report' | 'search' | 'source' | 'subscribe' | 'trace' | 'unbind'
  | 'unlink' | 'unlock' | 'unsubscribe';
