/** Sends requests to one application on each kind of server: HTTP/1.1, HTTP/2 and `app.fetch`. */
import http from 'node:http';
import type web from 'ristretto';
import { withServer } from './http.js';
import { askHttp2 } from './http2.js';

type App = ReturnType<typeof web>;

export interface Seen {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  /** Whether the response was received completely. */
  isWhole: boolean;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

function askHttp1(app: App, asked: Asked): Promise<Seen> {
  const read = (port: number): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', ...asked }, response => {
        const { statusCode: status, headers } = response;
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', () => undefined);
        response.on('close', () => {
          resolve({ status: status!, headers, text, isWhole: response.complete });
        });
      });
      request.on('error', reject).end();
    });
  return withServer(app, read);
}

async function askFetch(app: App, asked: Asked): Promise<Seen> {
  const { status, headers, body } = await app.fetch(new Request('http://a.example/', asked));
  const fields = { ...Object.fromEntries(headers), 'set-cookie': headers.getSetCookie() };
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true });
  } catch {
    return { status, headers: fields, text, isWhole: false };
  }
  return { status, headers: fields, text, isWhole: true };
}

/** Functions that send a request to an application, by kind of server. */
export const servers: Record<string, (app: App, asked?: Asked) => Promise<Seen>> = {
  'HTTP/1.1': (app, asked = {}) => askHttp1(app, asked),
  'HTTP/2': async (app, asked = {}) => {
    const answer = await askHttp2(app, asked);
    return { ...answer, isWhole: answer.code === 0 };
  },
  'app.fetch': (app, asked = {}) => askFetch(app, asked),
};
