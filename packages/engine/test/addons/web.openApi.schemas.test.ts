/** `web.openApi`: how library schemas become components, and what happens to those that cannot. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope, type } from 'arktype';
import web from 'ristretto';
import type { OpenApiOptions, StandardSchema } from 'ristretto';
import * as v from 'valibot';
import { z } from 'zod';
import { withoutModule } from '../support/modules.js';
import { described, schema, text } from '../support/schemas.js';
import { cpuTime } from '../support/worst-case.js';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- JSON of any shape

const show: web.RequestHandler = (_req, res) => void res.json({});

/** Builds routes with bodies and responses: `/0` uses the first schemas, and so on. */
function documentOf(
  schemas: { body?: StandardSchema; query?: StandardSchema; response?: StandardSchema }[],
  options: Partial<OpenApiOptions> = {},
) {
  const app = web();
  schemas.forEach(({ response, ...rest }, i) => {
    const all = { ...rest, ...(response && { response: { 200: response } }) };
    app.post(`/${i}`, web.validate(all), show as never);
  });
  return web.openApi(app, { info: { title: 'Test', version: '1' }, problems: false, ...options }).document();
}

const bodyOf = (document: ReturnType<typeof documentOf>, i = 0): Json =>
  (document.paths[`/${i}`]!.post as Json).requestBody.content['application/json'].schema;
const responseOf = (document: ReturnType<typeof documentOf>, i = 0): Json =>
  (document.paths[`/${i}`]!.post as Json).responses[200].content['application/json'].schema;
const componentsOf = (document: ReturnType<typeof documentOf>): Json => document.components?.schemas ?? {};
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const Cat = z.object({
  name: z.string(),
  get kittens() {
    return z.array(Cat);
  },
});
interface Tree {
  children: Tree[];
}
const Tree: v.GenericSchema<Tree> = v.pipe(
  v.object({ children: v.array(v.lazy(() => Tree)) }),
  v.title('Tree'),
);

describe('web.openApi', () => {
  test('bodies: schemas of several middlewares are all in the document', () => {
    const tenant = z.object({ tenant: z.string() });
    const user = z.object({ name: z.string() });
    const app = web();
    app.use(web.validate({ body: tenant.optional() }));
    app.post('/', web.validate({ body: user }), show as never);
    const { paths } = web.openApi(app, { info: { title: 'Test', version: '1' } }).document();
    const body = (paths['/']!.post as Json).requestBody as Json;
    const { allOf } = body.content['application/json'].schema as { allOf: Json[] };
    assert.deepEqual(
      allOf.map(({ properties }) => Object.keys(properties as Json)),
      [['tenant'], ['name']],
    );
    assert.equal(body.required, true);
  });

  const libraries: Record<string, { plain: StandardSchema; turned: StandardSchema; tree: StandardSchema }> = {
    zod: {
      plain: z.object({ name: z.string(), age: z.number().optional() }),
      turned: z.object({ n: z.string().transform(Number).pipe(z.number()) }),
      tree: Cat.meta({ title: 'Tree' }),
    },
    valibot: {
      plain: v.object({ name: v.string(), age: v.optional(v.number()) }),
      turned: v.object({ n: v.pipe(v.string(), v.transform(Number), v.number()) }),
      tree: Tree,
    },
    'valibot by the standard': {
      plain: toStandardJsonSchema(v.object({ name: v.string(), age: v.optional(v.number()) })),
      turned: toStandardJsonSchema(v.object({ n: v.pipe(v.string(), v.transform(Number), v.number()) })),
      tree: toStandardJsonSchema(Tree),
    },
    arktype: {
      plain: type({ name: 'string', 'age?': 'number' }),
      turned: type({ n: type('string').pipe(text => Number(text), type('number')) }),
      tree: scope({ tree: { children: 'tree[]' } }).export().tree,
    },
  };
  for (const [name, { plain, turned, tree }] of Object.entries(libraries)) {
    test(`schemas: of ${name} describe their input in requests and their output in responses`, () => {
      const document = documentOf([{ body: plain }, { body: turned, response: turned }]);
      assert.deepEqual(bodyOf(document), {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'number' } },
        required: ['name'],
      });
      const resolve = ({ $ref }: Json): Json => componentsOf(document)[$ref.split('/').at(-1)];
      assert.equal(resolve(bodyOf(document, 1)).properties.n.type, 'string');
      assert.equal(resolve(responseOf(document, 1)).properties.n.type, 'number');
    });

    test(`schemas: of ${name} may refer to themselves`, () => {
      const document = documentOf([{ body: tree, response: tree }]);
      const { $ref } = bodyOf(document);
      assert.deepEqual(responseOf(document), { $ref });
      const all = componentsOf(document);
      assert.ok(all[$ref.split('/').at(-1)], $ref);
      for (const one of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
        assert.ok(all[one[1]!]);
      assert.doesNotMatch(JSON.stringify(document), /\$defs/);
    });
  }

  test('components: a schema that is used twice becomes one component, named after its first use', () => {
    const shared = z.object({ a: z.string() });
    const document = documentOf([{ body: shared }, { body: shared, response: z.array(z.string()) }]);
    assert.deepEqual(Object.keys(componentsOf(document)), ['Post0Body']);
    assert.deepEqual([bodyOf(document), bodyOf(document, 1)], [to('Post0Body'), to('Post0Body')]);
    assert.deepEqual(responseOf(document, 1), { type: 'array', items: { type: 'string' } });
  });

  test('components: a schema with an id or a title becomes one component, wherever it is used', () => {
    const User = z.object({ name: z.string() }).meta({ id: 'User' });
    const Shop = z.object({ street: z.string() }).meta({ title: 'Shop' });
    const label = z.string().meta({ title: 'A label' });
    const choice = described({ title: 'Choice', anyOf: [{}] });
    const all = described({ title: 'All', allOf: [{}] });
    const both = z.object({ user: User, shop: Shop, label });
    const document = documentOf([
      { body: both, response: z.array(User) },
      { body: User, response: Shop },
      { body: choice, response: all },
    ]);
    assert.deepEqual(Object.keys(componentsOf(document)).sort(), ['All', 'Choice', 'Shop', 'User']);
    assert.deepEqual(bodyOf(document).properties, {
      user: to('User'),
      shop: to('Shop'),
      label: { type: 'string', title: 'A label' },
    });
    assert.deepEqual(responseOf(document), { type: 'array', items: to('User') });
    assert.deepEqual([bodyOf(document, 1), responseOf(document, 1)], [to('User'), to('Shop')]);
  });

  test('components: input and output have separate names if they differ', () => {
    const User = z.object({ role: z.string().default('user') }).meta({ id: 'User' });
    const document = documentOf([{ body: User, response: User }]);
    assert.deepEqual([bodyOf(document), responseOf(document)], [to('User'), to('UserOutput')]);
    assert.deepEqual(componentsOf(document).UserOutput.required, ['role']);
    const reverse = documentOf([{ response: User }, { body: User }]);
    assert.deepEqual([responseOf(reverse), bodyOf(reverse, 1)], [to('User'), to('UserInput')]);
  });

  test('components: a response uses the output schema if there is no input schema', () => {
    const onlyOutput = described(
      () => {
        throw new Error('no input');
      },
      () => ({ type: 'object', properties: {}, additionalProperties: false }),
    );
    assert.equal(responseOf(documentOf([{ response: onlyOutput }])).additionalProperties, false);
    const closed = { type: 'object', additionalProperties: false };
    assert.deepEqual(responseOf(documentOf([{ response: described(closed) }])), closed);
  });

  test('components: colliding titles and invalid names get unique names', () => {
    const titled = (title: string, n: number) => ({
      body: described({ title, type: 'object', maxProperties: n }),
    });
    const document = documentOf([
      titled('User', 1),
      titled('User', 2),
      titled('User', 3),
      titled('User', 1),
      titled('__proto__', 1),
      titled('a b/{c}', 1),
      titled('日本', 1),
      titled('', 1),
      titled('constructor', 1),
    ]);
    const names = ['User', 'UserInput', 'User2', '_proto_', 'a_b_c_', '_', 'constructor'];
    assert.deepEqual(Object.keys(componentsOf(document)), names);
    assert.deepEqual(bodyOf(document, 3), to('User'));
    assert.equal(bodyOf(document, 7).$ref, undefined);
    assert.equal(Object.getPrototypeOf(componentsOf(document)), Object.prototype);
  });

  test('components: definitions move there with all references to them', () => {
    const document = documentOf(
      [
        {
          body: described({
            $schema: 'x',
            $id: 'y',
            type: 'object',
            properties: {
              a: { $ref: '#/$defs/a~1b', description: 'kept' },
              b: { items: [{ $ref: '#/definitions/Old' }] },
              c: { $ref: '#/$defs/Old/properties/d' },
              d: { default: { $ref: '#/$defs/none' }, enum: [{ $ref: 'x' }], not: true },
              e: { anyOf: [{ $ref: '#/properties/d' }], patternProperties: { x: { if: { type: 'null' } } } },
            },
            $defs: { 'a/b': { type: 'string' }, odd: 5 },
            definitions: { Old: { properties: { d: { prefixItems: [{ $ref: '#/$defs/0' }] } } }, 0: {} },
          }),
        },
      ].map(one => one),
    );
    const all = componentsOf(document);
    assert.deepEqual(Object.keys(all), ['Post0Body', 'a_b', 'Old', 'Post0BodyInput']);
    const { a, b, c, d, e } = all.Post0Body.properties as Json;
    assert.deepEqual(a, { description: 'kept', ...to('a_b') });
    assert.deepEqual(b.items, [{ $ref: '#/definitions/Old' }]);
    assert.deepEqual(c, { $ref: '#/components/schemas/Old/properties/d' });
    assert.deepEqual(d, { default: { $ref: '#/$defs/none' }, enum: [{ $ref: 'x' }], not: true });
    assert.deepEqual(e.anyOf, [{ $ref: '#/components/schemas/Post0Body/properties/d' }]);
  });

  const failing = (schemas: Parameters<typeof documentOf>[0], options?: Partial<OpenApiOptions>): string => {
    try {
      documentOf(schemas, options);
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing was thrown';
  };

  test('components: references through a schema that becomes a component point there', () => {
    const label = { type: 'string' };
    const inner = { title: 'Inner', type: 'object', anyOf: [{ properties: { x: label } }] };
    const root = {
      type: 'object',
      properties: { inner, x: { $ref: '#/properties/inner/anyOf/0/properties/x' } },
    };
    const nameless = { $defs: { '': label }, type: 'object', properties: { x: { $ref: '#/$defs/' } } };
    const document = documentOf([{ body: described(root) }, { body: described(nameless) }]);
    const { Post0Body, Inner, _ } = componentsOf(document);
    assert.deepEqual(Post0Body.properties, { inner: to('Inner'), x: to('Inner/anyOf/0/properties/x') });
    assert.deepEqual([Inner, _], [inner, label]);
    assert.deepEqual(bodyOf(document, 1).properties, { x: to('_') });
  });

  test('errors: name the route, part and library of every schema that cannot be converted', () => {
    const message = failing([
      { body: z.object({ d: z.date() }) },
      { response: v.date() },
      { query: text() },
      { query: described({ type: 'string' }) },
      { query: described({ $ref: '#' }) },
      { body: described({ $ref: '#/$defs/none' }) },
      { query: described({ properties: { a: { $ref: '#/$defs/none' } } }) },
      { body: described({ $ref: 'https://example.com' }) },
    ]);
    assert.deepEqual(message.split('\n').slice(1), [
      '  POST /0, body (zod): Date cannot be represented in JSON Schema',
      '  POST /1, response 200 (valibot): The "date" schema cannot be converted to JSON Schema.',
      '  POST /2, query (test): the library does not support JSON Schema',
      '  POST /3, query (test): expected a schema for an object, got one for "string"',
      '  POST /4, query (test): it refers to itself',
      '  POST /5, body (test): the reference #/$defs/none does not exist',
      '  POST /6, query (test): the reference #/$defs/none does not exist',
      '  POST /7, body (test): the reference https://example.com does not exist',
    ]);
    assert.match(message, /^web\.openApi\(\) can't describe these\. The option toJSONSchema /);
  });

  test('errors: name references that cannot be resolved', () => {
    const message = failing([
      { body: described({ properties: { a: { $ref: '#/properties/b' } } }) },
      { body: described({ properties: { a: { $ref: '#/type/b' } }, type: 'object' }) },
      { query: described({ $ref: '#/$defs/none' }) },
    ]);
    assert.deepEqual(message.split('\n').slice(1), [
      '  POST /0, body (test): the reference #/properties/b does not exist',
      '  POST /1, body (test): the reference #/type/b does not exist',
      '  POST /2, query (test): the reference #/$defs/none does not exist',
    ]);
  });

  test('errors: say what to install for valibot', () => {
    const name = '@valibot/to-json-schema';
    const message = withoutModule(name, () => failing([{ body: v.string() }]));
    assert.match(
      message,
      /POST \/0, body \(valibot\): the package @valibot\/to-json-schema is not installed: npm install @valibot/,
    );
  });

  test('errors: list at most ten, with the first as their cause', () => {
    const cause = new Error('first');
    const throwing = described(() => {
      throw cause;
    });
    const all = Array.from({ length: 12 }, () => ({ body: throwing }));
    assert.match(failing(all), /\n {2}POST \/9, .*\n {2}and 2 more$/);
    assert.throws(() => documentOf(all), { cause });
  });

  test('errors: thrown values, invalid results and circular schemas are reported', () => {
    const cyclic: Json = { type: 'object' };
    cyclic.properties = { cyclic };
    const deep = Array.from({ length: 20_000 }).reduce<Json>(items => ({ items }), {});
    for (const [json, reason] of [
      [cyclic, /circular/i],
      [deep, /call stack/],
      [() => 5, /its JSON Schema is not an object/],
      [() => [], /its JSON Schema is not an object/],
      [
        () => {
          throw 'text';
        },
        /: text$/,
      ],
    ] as const) {
      assert.match(failing([{ body: described(json) }]), reason);
    }
  });

  test('dates of zod: are text in responses, and in requests if they are coerced', () => {
    const document = documentOf([
      { body: z.object({ at: z.coerce.date().optional() }), response: z.object({ at: z.date() }) },
    ]);
    const at = { type: 'string', format: 'date-time' };
    assert.deepEqual([bodyOf(document).properties, responseOf(document).properties], [{ at }, { at }]);
    assert.match(failing([{ response: z.object({ at: z.date(), n: z.bigint() }) }]), /BigInt cannot be/);
  });

  test('dates of zod: are not converted by versions that have no option for them', () => {
    const old = Object.assign(z.object({ at: z.coerce.date() }), {
      '~standard': {
        ...z.unknown()['~standard'],
        jsonSchema: {
          input({ libraryOptions }: { libraryOptions?: object }) {
            if (libraryOptions === undefined) throw new Error('Date cannot be represented');
            return {};
          },
        },
      },
    });
    assert.match(failing([{ body: old as never }]), /POST \/0, body \(zod\): Date cannot be represented/);
  });

  test('toJSONSchema: converts schemas that the library cannot convert', () => {
    const seen: string[] = [];
    const toJSONSchema: OpenApiOptions['toJSONSchema'] = (one, direction) => {
      seen.push(direction);
      if (one['~standard'].vendor !== 'zod') return undefined;
      return z.toJSONSchema(one as z.ZodType, { io: direction, unrepresentable: 'any' });
    };
    const document = documentOf([{ body: z.date(), response: v.string() }], { toJSONSchema });
    assert.deepEqual([bodyOf(document), responseOf(document)], [{}, { type: 'string' }]);
    assert.deepEqual(seen, ['input', 'output']);
  });

  test('toJsonSchema: is called if the schema has it as a method', () => {
    const old = Object.assign(
      schema(value => ({ value })),
      { toJsonSchema: () => ({ type: 'number' }) },
    );
    assert.deepEqual(bodyOf(documentOf([{ body: old }])), { type: 'number' });
  });

  test('size: a thousand routes are described within seconds', () => {
    const User = z.object({ name: z.string() }).meta({ id: 'User' });
    const schemas = Array.from({ length: 1000 }, () => ({
      body: z.object({ user: User, n: z.number() }),
      response: z.array(User),
    }));
    const started = cpuTime();
    const document = documentOf(schemas, { problems: true });
    assert.ok(cpuTime() - started < 10_000);
    assert.deepEqual(Object.keys(componentsOf(document)), ['User', 'ValidationProblem']);
    assert.equal(Object.keys(document.paths).length, 1000);
  });
});
