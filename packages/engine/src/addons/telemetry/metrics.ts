/** `web.metrics`: the metrics of all applications of the process, for Prometheus. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { reasonToError } from '../../router/rejection';
import { isStopping } from '../../serving/process-state';
import { FLAG, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import type { NextFunction, Request, Response } from '../../types/core';
import type { MetricsHandler, MetricsOptions, MetricsRegistry } from '../../types/operation';
import { DURATION_BOUNDS } from './duration-bounds';
import { familyName, formatFamilies, OPEN_METRICS, PROMETHEUS } from './exposition';
import { ProcessMetrics } from './process-metrics';
import { RequestMetrics } from './request-metrics';

const CALLER = 'web.metrics()';
const OPTIONS = {
  buckets: ['an array of numbers in ascending order', areBounds],
  maxSeries: ['a whole number from 1', value => Number.isSafeInteger(value) && (value as number) >= 1],
  process: FLAG,
  register: [
    'a registry of prom-client',
    value => typeof (Object(value) as Partial<MetricsRegistry>).getSingleMetric === 'function',
  ],
  listen: ['a port, or options of server.listen()', value => isPort(value) || Object(value) === value],
} satisfies Kinds<MetricsOptions>;
const END = '# EOF\n';

/**
 * Starts to measure the requests of all applications of the process, and creates a handler that sends the metrics, in the
 * text format of Prometheus or as OpenMetrics if the client accepts that. With `listen`, a server of its own sends them, too.
 * @throws TypeError for an invalid option
 * @example web.metrics({ listen: 9464 }); // for Prometheus on the same machine
 * @example app.get('/metrics', web.metrics());
 */
export function metrics(options: MetricsOptions = {}): MetricsHandler {
  checkOptions(CALLER, options, OPTIONS);
  const {
    buckets = DURATION_BOUNDS,
    maxSeries = 2000,
    process: ofProcess = true,
    register,
    listen,
  } = options;
  const requests = new RequestMetrics([...buckets], maxSeries);
  const own = ofProcess ? new ProcessMetrics() : undefined;

  const text = async (openMetrics = register !== undefined && isOpen(register)): Promise<string> => {
    const all = [...requests.families(), ...(own?.families() ?? [])];
    // The same name twice would make the whole text invalid.
    const families = all.filter(family => register?.getSingleMetric(familyName(family)) === undefined);
    const others = (await register?.metrics()) ?? '';
    const ours = formatFamilies(families, openMetrics);
    return `${ours}${others.replace(END, '')}${openMetrics ? END : ''}`;
  };

  const send = (req: IncomingMessage, res: ServerResponse, fail: (error: unknown) => void): void => {
    // A registry has one format, which is used for all.
    const isOpenMetrics =
      register === undefined
        ? (req.headers.accept ?? '').includes('application/openmetrics-text')
        : isOpen(register);
    const sendText = (body: string): void => {
      // The registry may have taken so long that other code has responded
      if (res.headersSent) return;
      res.setHeader('Content-Type', isOpenMetrics ? OPEN_METRICS : PROMETHEUS);
      res.setHeader('Cache-Control', 'no-store');
      res.end(body);
    };
    text(isOpenMetrics).then(sendText).catch(fail);
  };
  const handler = function metrics(req: Request, res: Response, next: NextFunction) {
    send(req, res, reason => {
      next(reasonToError(reason));
    });
  };
  const server = listen === undefined ? undefined : serve(listen, send);
  const close = (): void => {
    requests.close();
    own?.close();
    server?.close();
  };
  return Object.assign(handler, { text, close, server }) as MetricsHandler;
}

/** Starts a server for monitoring: `/metrics`, and `/livez` and `/readyz` as `web.health()` responds without checks. */
function serve(
  place: NonNullable<MetricsOptions['listen']>,
  send: (req: IncomingMessage, res: ServerResponse, fail: (error: unknown) => void) => void,
): Server {
  const respond = (res: ServerResponse, status: number, body: object): void => {
    res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    res.end(JSON.stringify(body));
  };
  const server = createServer((req, res) => {
    const [path] = req.url!.split('?');
    if (path === '/metrics') {
      send(req, res, error => {
        respond(res, 500, { status: 'failed', reason: String(error) });
      });
    } else if (path === '/readyz' && isStopping()) {
      respond(res, 503, { status: 'unavailable', reason: 'stopping' });
    } else if (path === '/readyz' || path === '/livez') respond(res, 200, { status: 'ok' });
    else respond(res, 404, { status: 'not found', paths: ['/metrics', '/livez', '/readyz'] });
  });
  // Connections that Prometheus keeps open would delay the end of the process.
  server.on('connection', socket => void socket.unref()).unref();
  // In a cluster, a scrape of a shared port would get the metrics of an arbitrary process.
  const options = isPort(place) ? { port: place, host: '127.0.0.1' } : place;
  return server.listen({ exclusive: true, ...options });
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;
}

function isOpen({ contentType }: MetricsRegistry): boolean {
  return contentType.includes('openmetrics');
}

function areBounds(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((bound: number, i) => Number.isFinite(bound) && !(bound <= value[i - 1]));
}
