/** `web.metrics`: the metrics of all applications of the process, for Prometheus. */
import { checkNames, checkOption } from '../report/options';
import type { NextFunction, Request, Response } from '../types/core';
import type { MetricsHandler, MetricsOptions, MetricsRegistry } from '../types/metrics';
import { DURATION_BOUNDS } from './duration-bounds';
import { familyName, formatFamilies, OPEN_METRICS, PROMETHEUS } from './exposition';
import { ProcessMetrics } from './process-metrics';
import { RequestMetrics } from './request-metrics';

const CALLER = 'web.metrics()';
const OPTIONS = ['buckets', 'maxSeries', 'process', 'register'] satisfies (keyof MetricsOptions)[];
const END = '# EOF\n';

/**
 * Starts to measure the requests of all applications of the process, and creates a handler that sends the metrics, in the
 * text format of Prometheus or as OpenMetrics if the client accepts that.
 *
 * @throws TypeError for an invalid option
 * @example app.get('/metrics', web.metrics());
 */
export function metrics(options: MetricsOptions = {}): MetricsHandler {
  checkNames(CALLER, options, OPTIONS);
  const { buckets = DURATION_BOUNDS, maxSeries = 2000, process: ofProcess = true, register } = options;
  const areBounds =
    Array.isArray(buckets) &&
    buckets.length > 0 &&
    buckets.every((bound: unknown, i) => Number.isFinite(bound) && !((bound as number) <= buckets[i - 1]!));
  checkOption(areBounds, CALLER, 'buckets', 'an array of numbers in ascending order', buckets);
  const isCount = Number.isSafeInteger(maxSeries) && maxSeries >= 1;
  checkOption(isCount, CALLER, 'maxSeries', 'a whole number from 1', maxSeries);
  checkOption(typeof ofProcess === 'boolean', CALLER, 'process', 'true or false', ofProcess);
  const isRegistry =
    register === undefined || isFunction((Object(register) as Partial<MetricsRegistry>).getSingleMetric);
  checkOption(isRegistry, CALLER, 'register', 'a registry of prom-client', register);
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

  const handler = function metrics(req: Request, res: Response, next: NextFunction) {
    // A registry has one format, which is used for all.
    const isOpenMetrics =
      register === undefined
        ? (req.headers.accept ?? '').includes('application/openmetrics-text')
        : isOpen(register);
    text(isOpenMetrics).then(body => {
      res.setHeader('Content-Type', isOpenMetrics ? OPEN_METRICS : PROMETHEUS);
      res.setHeader('Cache-Control', 'no-store');
      res.end(body);
    }, next);
  };
  const close = (): void => {
    requests.close();
    own?.close();
  };
  return Object.assign(handler, { text, close }) as MetricsHandler;
}

function isOpen({ contentType }: MetricsRegistry): boolean {
  return contentType.includes('openmetrics');
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
