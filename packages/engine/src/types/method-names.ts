/** The HTTP methods for which routes can be registered, in lower case, from Node's `http.METHODS`. */

// prettier-ignore
export type MethodName =
  | 'acl' | 'bind' | 'checkout' | 'copy' | 'delete' | 'get' | 'head' | 'link' | 'lock' | 'm-search' | 'merge'
  | 'mkactivity' | 'mkcalendar' | 'mkcol' | 'move' | 'notify' | 'options' | 'patch' | 'post' | 'propfind'
  | 'proppatch' | 'purge' | 'put' | 'rebind' | 'report' | 'search' | 'source' | 'subscribe' | 'trace' | 'unbind'
  | 'unlink' | 'unlock' | 'unsubscribe';
