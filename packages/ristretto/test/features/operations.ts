/** How a server behaves when it stops, and under stress. */
import type { Chapter } from './chapter.js';

export const operations: Chapter = {
  title: 'Operation',
  members: {
    'web.stop': {
      'under load':
        'in-flight requests get a response with Connection: close, idle connections close, none is reset',
      'new connections': 'are refused',
      delay: 'is how long requests are still served as before',
      drain: 'is how long keep-alive connections are still served, with Connection: close',
      pipelined: 'all requests that have been read get a response',
      'responses that have begun': 'are completed',
      'late requests': 'on a busy connection get 503 with Retry-After',
      'partial request': 'is waited for and gets a response',
      timeout: 'connections that are still open are closed',
      https: 'works the same over TLS',
      http2: 'sessions get GOAWAY, and in-flight streams are completed',
      cost: 'there is no overhead before the stop',
    },
    'web.stopOnSignals': {
      SIGTERM: 'stops the servers, and the process exits on its own',
      timeout: 'connections that are still open are closed',
      again: 'a second signal closes connections immediately',
      onStop: 'is called when the signal arrives',
      'several servers': 'are stopped together',
    },
    errors: {
      middleware: 'any thrown value gets exactly one response, and the process keeps running',
      'a route': 'any thrown value or rejection gets exactly one response, and the process keeps running',
      'a parameter callback':
        'any thrown value or rejection gets exactly one response, and the process keeps running',
      'an error handler':
        'any thrown value or rejection gets exactly one response, and the process keeps running',
      'a view engine': 'any error gets exactly one response, and the process keeps running',
      'hundreds of each': 'result in exactly one 500 response each',
      'after the header': 'an error destroys the connection',
    },
    aborts: {
      'mid-body': 'handlers are notified once; no file and no descriptor is left',
      'mid-response': 'no descriptor is left, and the piped source is destroyed',
      'sources that fail': 'result in a 500 before the first byte, and in a destroyed connection after it',
      'a full disk': 'is an error of one request',
      'files that vanish': 'result in a 404',
    },
    'slow clients': {
      headers: 'result in a 408 in time',
      bodies: 'result in a 408 in time',
      readers: 'do not delay other clients',
    },
    supply: {
      'install scripts': 'do not exist in any package or runtime dependency',
      'bill of materials': 'matches the lock file',
    },
  },
};
