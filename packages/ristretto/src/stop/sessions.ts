/**
 * HTTP/2 sessions of a server. The runtime does not hand them out afterwards, so they are noted from the time that
 * somebody means to stop the server; one that is first seen by its request is noted then.
 */
import type { Http2Session } from 'node:http2';
import type { Server } from 'node:net';

const sessions = new WeakMap<Server, Set<Http2Session>>();

/** Notes the server's sessions from now on. */
export function watchSessions(server: Server): Set<Http2Session> {
  const known = sessions.get(server);
  if (known !== undefined) return known;
  const noted = new Set<Http2Session>();
  sessions.set(server, noted);
  server.on('session', (session: Http2Session) => {
    noted.add(session);
    session.once('close', () => noted.delete(session));
  });
  return noted;
}
