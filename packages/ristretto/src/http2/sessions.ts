/**
 * HTTP/2 sessions of servers. Node does not hand them out afterwards, so they are noted when they begin, or with their
 * first stream.
 */
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';

const sessions = new WeakMap<object, Set<Http2Session>>();

/** Notes the server's sessions from now on. */
export function watchSessions(server: Server): Set<Http2Session> {
  const known = sessions.get(server);
  if (known !== undefined) return known;
  const noted = new Set<Http2Session>();
  sessions.set(server, noted);
  server.on('session', (session: Http2Session) => {
    note(noted, session);
  });
  return noted;
}

/** Notes the session of a stream, which may have begun before anything was noted. */
export function noteStream(server: object, { session }: ServerHttp2Stream): void {
  const noted = watchSessions(server as Server);
  if (session !== undefined && !noted.has(session)) note(noted, session);
}

function note(noted: Set<Http2Session>, session: Http2Session): void {
  noted.add(session);
  session.once('close', () => noted.delete(session));
}
