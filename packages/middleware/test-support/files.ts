/** serve-static is the reference: generated options and requests get the same responses. */
import path from 'node:path';
import { FILE_NAMES, makeFiles } from '../../engine/test/support/files.js';
import { differentialTest } from './differential.js';
import type { Handler, Random } from './differential.js';

type Value = unknown;
type ServeStatic = (root: string, options?: object) => Handler;

interface Options {
  folder: string;
  options: Record<string, Value>;
}

function staticOptions(random: Random): Record<string, Value> {
  const result: Record<string, Value> = {};
  const maybe = (share: number, key: string, values: Value[]) => {
    if (random.chance(share)) result[key] = random.pick(values);
  };
  maybe(0.2, 'acceptRanges', [true, false]);
  maybe(0.2, 'cacheControl', [true, false]);
  maybe(0.4, 'dotfiles', ['allow', 'deny', 'ignore']);
  maybe(0.3, 'etag', [true, false]);
  maybe(0.3, 'extensions', [['txt'], ['html', 'htm'], [], false]);
  maybe(0.3, 'fallthrough', [true, false, false]);
  maybe(0.2, 'immutable', [true, false]);
  maybe(0.3, 'index', ['index.html', false, ['none.html', 'index.html'], 'a.txt']);
  maybe(0.2, 'lastModified', [true, false]);
  maybe(0.4, 'maxAge', [0, 5000, '1 day', 1e15, -5, 1500]);
  maybe(0.2, 'redirect', [true, false]);
  maybe(0.2, 'setHeaders', [{ $: 'sets' }]);
  return result;
}

/** Paths whose spelling our file server does not redirect or reject (docs/DIFFERENCES.md). */
const NAMES = FILE_NAMES.filter(name => !/(?:^|\/)\.\.?(?:\/|$)/.test(name)).map(name => encodeURI(name));

const HEADERS: [string, string[]][] = [
  ['Range', ['bytes=0-3', 'bytes=5-', 'bytes=-2', 'bytes=90-', 'bytes=0-1,4-5', 'bytes=x', 'items=0-1']],
  ['If-None-Match', ['*', '"x"', 'W/"x"', 'W/"a-18e0d4cc7bb"']],
  ['If-Match', ['*', '"x"']],
  ['If-Modified-Since', ['Tue, 05 Mar 2024 06:07:08 GMT', 'Tue, 05 Mar 2019 06:07:08 GMT', 'x']],
  ['If-Unmodified-Since', ['Tue, 05 Mar 2024 06:07:08 GMT', 'Tue, 05 Mar 2019 06:07:08 GMT']],
  ['If-Range', ['"x"', 'Tue, 05 Mar 2024 06:07:08 GMT', 'Tue, 05 Mar 2019 06:07:08 GMT']],
  ['Cache-Control', ['no-cache']],
];

/** Registers the differential test of a version of serve-static. */
export function filesTest(name: string, original: ServeStatic, ours: ServeStatic): void {
  const root = makeFiles();
  differentialTest<ServeStatic, Options>({
    name,
    original,
    ours,
    generate: random => ({
      options: { folder: random.pick(['', '', '', 'sub', 'missing']), options: staticOptions(random) },
      requests: random.many(1, 5, () => ({
        method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
        target: `/${random.pick(NAMES)}${random.chance(0.1) ? '?a=/b' : ''}`,
        headers: HEADERS.filter(() => random.chance(0.2)).map(([header, values]): [string, string] => [
          header,
          random.pick(values),
        ]),
      })),
    }),
    build(serveStatic, { folder, options }, trace) {
      const setHeaders = (
        res: { setHeader(name: string, value: string): void },
        file: string,
        stat: { size: number },
      ) => {
        trace.push(`${path.relative(root, file)} ${stat.size}`);
        res.setHeader('X-Set', 'yes');
      };
      const given = 'setHeaders' in options ? { ...options, setHeaders } : options;
      return [
        serveStatic(path.join(root, folder), given),
        (_req, res) => {
          res.statusCode = 404;
          res.end('fell through');
        },
      ];
    },
    // File system errors contain the directory's name.
    normalize: observed => ({
      ...observed,
      trace: observed.trace.map(line => line.replaceAll(root, 'root')),
    }),
  });
}
