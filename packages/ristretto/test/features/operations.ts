/** What a server does at the end of its life, and under stress. */
import type { Chapter } from './chapter.js';

export const operations: Chapter = {
  title: 'Operation',
  members: {
    'web.stop': {
      'under load': 'requests are answered with Connection: close, idle connections closed, nothing reset',
      'new connections': 'refused',
      delay: 'all goes on as before, for so long',
      drain: 'kept connections are served once more',
      pipelined: 'all that was read is answered',
      'responses that have begun': 'are completed',
      'late requests': 'get 503 with Retry-After on a busy connection',
      'half a request': 'is answered',
      deadline: 'what is left is cut off',
      https: 'the same over TLS',
      http2: 'GOAWAY; streams are completed',
      cost: 'nothing before the stop',
    },
    'web.stopOnSignals': {
      SIGTERM: 'stops, and the process ends by itself',
      deadline: 'what hangs is cut off',
      again: 'a second signal cuts off at once',
      onStop: 'is told when the signal has come',
      'several servers': 'are stopped together',
    },
    errors: {
      middleware: 'whatever is thrown is answered once, and never ends the process',
      'a route': 'the same, thrown or rejected',
      'a parameter callback': 'the same',
      'an error handler': 'the same',
      'a view engine': 'the same',
      'hundreds of each': 'exactly one answer each',
      'after the header': 'the connection is destroyed',
    },
    aborts: {
      'mid-body': 'handlers are told once; no file and no descriptor is left',
      'mid-response': 'no descriptor is left, and what is piped is destroyed',
      'sources that fail': '500 before the first byte, a destroyed connection after it',
      'a full disk': 'is an error of one request',
      'files that vanish': '404',
    },
    'slow clients': { headers: '408 in time', bodies: '408 in time', readers: 'keep nobody waiting' },
    supply: {
      'install scripts': 'none',
      'bill of materials': 'is that of the lock',
    },
  },
};
