/**
 * Tracks the HTTP/2 sessions of servers. Node has no list of them before version 24, so each is recorded when it begins
 * or with its first stream.
 */
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { undocumented } from '../node-internals';

const sessions = new WeakMap<object, Set<Http2Session>>();

/** Records the server's sessions from now on. */
export function watchSessions(server: Server): Set<Http2Session> {
  const known = sessions.get(server);
  if (known !== undefined) return known;
  const noted = new Set<Http2Session>();
  sessions.set(server, noted);
  const listed = undocumented<Iterable<Http2Session>>(server, 'sessions') ?? [];
  for (const session of listed) note(noted, session);
  server.on('session', (session: Http2Session) => {
    note(noted, session);
  });
  return noted;
}

/** Records the session of a stream, which may have begun before the server was watched. */
export function noteStream(server: object, { session }: ServerHttp2Stream): void {
  const noted = watchSessions(server as Server);
  if (session !== undefined && !noted.has(session)) note(noted, session);
}

function note(noted: Set<Http2Session>, session: Http2Session): void {
  noted.add(session);
  session.once('close', () => noted.delete(session));
}

/** Returns the streams of a session that are not destroyed. */
export function streamsOf(session: Http2Session): ServerHttp2Stream[] {
  const streams = undocumented<{ streams?: Map<number, ServerHttp2Stream> }>(session, 'state')?.streams;
  return [...(streams?.values() ?? [])];
}

/** Returns the connection of a session: `session.socket` does not allow it to be destroyed. */
export function connectionOf(session: Http2Session): Socket | undefined {
  return undocumented<Socket>(session, 'socket');
}
