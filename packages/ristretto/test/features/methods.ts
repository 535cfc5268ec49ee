/** The HTTP methods that every supported version of Node.js has, in lower case, except CONNECT. */
export const METHODS = (
  'acl bind checkout copy delete get head link lock m-search merge mkactivity mkcalendar mkcol move notify options ' +
  'patch post propfind proppatch purge put rebind report search source subscribe trace unbind unlink unlock ' +
  'unsubscribe'
).split(' ');
