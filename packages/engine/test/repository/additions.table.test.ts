// runs: once
/**
 * The table of additions in docs/guide.md has every member that Express does not have, by package; and their options
 * follow the same rules.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { text } from '../support/schemas.js';

const guide = fs.readFileSync(path.join(__dirname, '../../../../docs/guide.md'), 'utf8');
const rows = guide
  .split('## Beyond Express')[1]!
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split(/ +\| +/));

interface Framework {
  (): { request: object; response: object };
  Router: new () => object;
  Route: { prototype: object };
}

/** Members that Express has elsewhere: on each message, or in its next version. */
const ELSEWHERE = /^(?:\w+\.(?:constructor|_\w+)|res\.locals)$/;
const OF_EXPRESS_4 =
  /^(?:route\..*|router\.handle|web\.version|app\.(?:lazyrouter|mountpath)|req\.(?:accepts\w+|hostname)|res\.(?:append|charset|sendFile|sendStatus))$/;

/** The names of the members of an object, with those that it inherits. */
function namesIn(object: object): Set<string> {
  const names = new Set<string>();
  for (let at: object | null = object; at && at !== Function.prototype && at !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    at = Object.getPrototypeOf(at) as object | null;
  }
  return names;
}

/** The names that for…in lists, as tools do that copy an application or a message. */
function listedIn(object: object): string[] {
  const names: string[] = [];
  for (const name in object) names.push(name);
  return names;
}

/** Returns the members of the package that Express does not have, such as `app.fetch`, of all that a function lists. */
function additionsOf(ours: string, theirs: string, list: (object: object) => Iterable<string>): string[] {
  const objects = [ours, theirs].map(name => {
    const web = require(name) as Framework;
    const app = web();
    const { Route, Router } = web;
    return { app, web, req: app.request, res: app.response, router: new Router(), route: Route.prototype };
  });
  const [mine, others] = objects.map(object => Object.entries(object));
  return mine!
    .flatMap(([part, object], i) => {
      const known = namesIn(others![i]![1]);
      return [...list(object)].filter(name => !known.has(name)).map(name => `${part}.${name}`);
    })
    .filter(name => !ELSEWHERE.test(name) && !(ours === 'ristretto3' && OF_EXPRESS_4.test(name)));
}

describe('additions: the table', () => {
  for (const [ours, theirs, api] of [
    ['ristretto3', 'express3', '3'],
    ['ristretto', 'express', '4'],
    ['ristretto5', 'express5', '5'],
  ] as const) {
    test(`${ours}: has each member that Express does not have`, () => {
      const listed = rows
        .filter(([, apis]) => apis!.includes(api))
        .flatMap(([names]) => [...names!.matchAll(/`((?:app|web|req|res|router|route)\.\w+)`/g)])
        .map(([, name]) => name!);
      const additions = additionsOf(ours, theirs, namesIn);
      // Newer versions of Node have their own signal.
      if (Object.hasOwn(http.IncomingMessage.prototype, 'signal')) additions.push('req.signal');
      assert.deepEqual(listed.sort(), [...new Set(additions)].sort());
    });

    test(`${ours}: none is enumerable, but those of the function itself`, () => {
      const listed = additionsOf(ours, theirs, listedIn);
      assert.deepEqual(
        listed.filter(name => !name.startsWith('web.')),
        [],
      );
    });
  }
});

type Members = Record<string, (...args: unknown[]) => unknown>;
type Use = (web: Members, app: Members, options: unknown) => unknown;

/** The functions with options: the declaration of these, and how options are passed. */
type WithOptions = [declared: string, use: Use];

/** Its values are those of OpenAPI, which need no defaults. */
const DESCRIPTION = 'web.describe';
/** The valid durations that are tried: none where a call changes the process, short ones where it waits for them. */
const DURATIONS: Record<string, unknown[]> = { 'web.stopOnSignals': [], 'web.stop': [9, '9ms'] };
const handler = (): void => undefined;
const server = http.createServer();
const info = { title: 'x', version: '1' };
const WITH_OPTIONS: Record<string, WithOptions> = {
  'app.inject': ['fetch.InjectOptions', (_web, app, options) => app.inject!(options)],
  'app.ws': ['websocket.SocketOptions', (_web, app, options) => app.ws!('/', options, handler)],
  'web.deadline': ['operation.DeadlineOptions', (web, _, options) => web.deadline!(1, options)],
  'web.describe': ['description.RouteDescription', (web, _, options) => web.describe!(options)],
  'web.health': ['operation.HealthOptions', (web, _, options) => web.health!(options)],
  'web.metrics': ['operation.MetricsOptions', (web, _, options) => web.metrics!(options)],
  'web.openTelemetry': ['operation.OpenTelemetryOptions', (web, _, options) => web.openTelemetry!(options)],
  'web.openApi': [
    'openapi.OpenApiOptions',
    (web, app, options) => web.openApi!(app, { info, ...Object(options) }),
  ],
  'web.openApiPage': [
    'openapi.OpenApiPageOptions',
    (web, _, options) => web.openApiPage!('/openapi.json', options),
  ],
  'web.requestId': ['operation.RequestIdOptions', (web, _, options) => web.requestId!(options)],
  'web.overload': ['operation.OverloadOptions', (web, _, options) => web.overload!(options)],
  'web.stop': ['stop.StopOptions', (web, _, options) => web.stop!(server, options)],
  'web.stopOnSignals': [
    'stop.StopOnSignalsOptions',
    (web, _, options) => web.stopOnSignals!(server, options),
  ],
  'web.validate': [
    'validation.ValidateOptions',
    (web, _, options) => web.validate!({ body: text() }, options),
  ],
  'res.sse': [
    'events.EventStreamOptions',
    (_web, app, options) =>
      new Promise((resolve, reject) => {
        app.use!((_req: unknown, res: Members) => {
          try {
            res.sse!(options);
          } catch (error) {
            reject(error as Error);
          }
          res.end!();
        });
        void (app.inject!('/') as Promise<unknown>).then(resolve, reject);
      }),
  ],
};

/** The options that are sizes in bytes, or text such as '1mb'. */
const SIZES = ['maxPayload', 'maxBacklog', 'maxRss'];

interface Option {
  name: string;
  isRequired: boolean;
  type: string;
  defaults: string[];
}

/** Reads the options of an interface and those that it extends from its declaration. */
function declaredOptions(declared: string): Option[] {
  const [file, name] = declared.split('.') as [string, string];
  const text = fs.readFileSync(path.join(__dirname, `../../src/types/${file}.ts`), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find(each => each.name.text === name)!;
  const bases = (found.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(type => type.expression.getText()),
  );
  const own = found.members.filter(ts.isPropertySignature).map(member => ({
    name: member.name.getText(),
    isRequired: member.questionToken === undefined,
    type: member.type!.getText(),
    defaults: ts
      .getJSDocTags(member)
      .filter(tag => tag.tagName.text === 'default')
      .map(({ comment }) => String(comment)),
  }));
  return [...bases.flatMap(base => declaredOptions(`${file}.${base}`)), ...own];
}

for (const version of ['ristretto', 'ristretto5']) {
  describe(`additions of ${version}: options`, () => {
    const web = require(version) as Members & (() => Members);
    const failureOf = async (use: Use, options: unknown): Promise<Error | undefined> => {
      try {
        await use(web, web(), options);
      } catch (error) {
        return error as Error;
      }
      return undefined;
    };

    for (const [name, [declared, use]] of Object.entries(WITH_OPTIONS)) {
      test(`${name}: unknown names are errors that list the declared ones, each with its default`, async () => {
        const options = declaredOptions(declared);
        const error = await failureOf(use, { nonsense: 1 });
        assert.ok(error instanceof TypeError);
        const [, named = ''] =
          /^(?:web|app|res)\.\w+\(\): unknown option 'nonsense'; the options are (.+)$/.exec(error.message) ??
          [];
        assert.deepEqual(named.split(', ').sort(), options.map(each => each.name).sort(), error.message);
        if (name === DESCRIPTION) return;
        for (const option of options.filter(({ isRequired }) => !isRequired)) {
          assert.equal(option.defaults.length, 1, `${name}: ${option.name} has one @default`);
        }
      });

      test(`${name}: a value of the wrong type is an error that names the option`, async () => {
        for (const option of declaredOptions(declared)) {
          // Any value
          if (option.type === 'unknown') continue;
          const error = await failureOf(use, { [option.name]: Symbol('wrong') });
          assert.ok(error instanceof TypeError, `${name}: ${option.name}`);
          assert.match(error.message, new RegExp(`\\b${option.name}\\b`));
          assert.match(error.message, /Symbol\(wrong\)/);
        }
      });

      test(`${name}: durations are milliseconds, or text such as '10s'`, async () => {
        const durations = declaredOptions(declared).filter(({ type }) => type.startsWith('number | string'));
        for (const option of durations.filter(each => !SIZES.includes(each.name))) {
          for (const value of DURATIONS[name] ?? [9000, '9s'])
            assert.equal(await failureOf(use, { [option.name]: value }), undefined, option.name);
          for (const value of ['soon', -1])
            assert.match(String(await failureOf(use, { [option.name]: value })), /milliseconds/, option.name);
        }
      });
    }
  });
}
