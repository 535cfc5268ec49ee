/**
 * The entry point of the Fetch API: turns a `Request` into a request of the application, and its response into a
 * `Response`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageClasses } from '../adopt';
import type { Adopter } from '../adopt';
import { makeMessages } from '../virtual-response';
import { isMethod, UNKNOWN_METHOD } from '../../router/methods';
import { noteUpgrade } from '../../router/upgrade';
import { shown } from '../../shown';
import { FetchSocket } from './fetch-socket';
import type { RequestLike } from './fetch-socket';
import { peerOf } from './peer';
import { bunHandlers, upgradeOfHost } from './socket-hosts';

export { bunHandlers };

/** An application as a request listener. */
export type Listener = Adopter & ((req: IncomingMessage, res: ServerResponse) => void);

/** Headers that describe an HTTP/1.1 connection, and Host, which is taken from the URL. */
const LEFT_OUT = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade']);
/** The same for a request for a WebSocket, which handlers must be able to distinguish from others. */
const NOT_OF_UPGRADES = new Set(['host', 'keep-alive', 'transfer-encoding']);

/** @throws Error where there is no Fetch API, and a name that is not defined would not say why */
export function checkGlobals(caller: string): void {
  if (
    typeof Request !== 'undefined' &&
    typeof Response !== 'undefined' &&
    typeof ReadableStream !== 'undefined'
  )
    return;
  throw new Error(
    `${caller}: the globals Request, Response and ReadableStream of Node are missing, as in Jest's environment jsdom. ` +
      'Begin the file of the test with /** @jest-environment node */',
  );
}

/**
 * Passes a request to an application.
 * @param info the host's information about the client
 * @param report called with errors of the host, and for responses that the Fetch API cannot express
 * @param host the value of the Host header, by default that of the URL
 * @returns a promise of the response, fulfilled when its header section is complete; it never rejects
 * @throws TypeError if it is not a request; Error without the Fetch API
 */
export function handleFetch(
  app: Listener,
  request: RequestLike,
  info: unknown,
  report: (error: unknown) => void,
  host?: string,
): Promise<Response> {
  checkGlobals('app.fetch');
  if (typeof (request as unknown as RequestLike | undefined)?.url !== 'string') {
    throw new TypeError(
      `app.fetch: expected a Request, as in app.fetch(new Request('http://localhost/')), got ${shown(request)}`,
    );
  }
  if (!isMethod(request.method)) return Promise.resolve(new Response(UNKNOWN_METHOD, { status: 400 }));
  return new Promise(resolve => {
    const upgrade = upgradeOfHost(request, info);
    const socket = new FetchSocket(request, peerOf(request, info, report), resolve, report, upgrade);
    const leftOut = upgrade === undefined ? LEFT_OUT : NOT_OF_UPGRADES;
    const { req, res } = makeMessages(messageClasses(app), socket, targetOf(request, host, leftOut));
    if (upgrade !== undefined) noteUpgrade(req, upgrade);
    socket.begin();
    app(req, res);
    if (request.body === null) socket.completeRequest();
  });
}

/** Returns the request line and the headers. Scheme and host come from the URL (RFC 9110, section 7.1). */
function targetOf(
  { method, url, headers, body }: RequestLike,
  host: string | undefined,
  leftOut: ReadonlySet<string>,
): Parameters<typeof makeMessages>[2] {
  const [, authority = '', target = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  const rawHeaders: string[] = ['host', host ?? authority.slice(authority.lastIndexOf('@') + 1)];
  let hasLength = false;
  for (const [name, value] of headers) {
    if (leftOut.has(name)) continue;
    if (name === 'content-length') hasLength = true;
    rawHeaders.push(name, value);
  }
  // Set as in HTTP/1.1, so that body parsers see that there is a body.
  if (body !== null && !hasLength) rawHeaders.push('transfer-encoding', 'chunked');
  return { method, url: target.startsWith('/') ? target : `/${target}`, version: [1, 1], rawHeaders };
}
