/** The schemas of a document: each appears once, under its own name, and is referenced everywhere else. */
import type { JsonObject } from '../../types/description';
import type { OpenApiOptions } from '../../types/openapi';
import type { StandardSchema } from '../../types/validation';
import { convert } from './convert';
import type { Direction } from './convert';
import {
  isObject,
  leadsNowhere,
  mapChildren,
  readReference,
  referencesIn,
  takeApart,
  unescaped,
} from './json-schema';
import type { Definitions } from './json-schema';

/** Names that libraries generate for definitions that their author did not name. */
const GENERATED = /^(?:__schema|intersection|union)?\d+$/;

export class Components {
  /** The schemas by name. */
  readonly schemas = new Map<string, JsonObject>();
  /** The JSON text of the schema under each name. */
  private readonly texts = new Map<string, string>();
  /** The names of schemas that their author did not name, by JSON text. */
  private readonly nameless = new Map<string, string>();
  private readonly converted = new Map<string, Map<StandardSchema, JsonObject>>();
  /** The contents of the document for each JSON Schema. */
  private readonly placed = new Map<JsonObject, JsonObject>();
  private readonly used = new Set<StandardSchema>();
  private readonly shared = new Set<StandardSchema>();

  constructor(private readonly own: OpenApiOptions['toJSONSchema']) {}

  /** Counts a use: a schema that is used twice gets a name. */
  count(schema: StandardSchema): void {
    if (this.used.has(schema)) this.shared.add(schema);
    this.used.add(schema);
  }

  /** Returns the JSON Schema of a schema, as its library generates it. */
  read(schema: StandardSchema, direction: Direction): JsonObject {
    let known = this.converted.get(direction);
    if (known === undefined) this.converted.set(direction, (known = new Map<StandardSchema, JsonObject>()));
    let json = known.get(schema);
    if (json === undefined) known.set(schema, (json = convert(schema, direction, this.own)));
    return json;
  }

  /**
   * Returns a schema for use in the document: a reference if it has a title or is also used elsewhere.
   * @param hint a name for a schema without one
   */
  use(schema: StandardSchema, direction: Direction, hint: string): JsonObject {
    return this.adopt(this.preferInput(schema, direction), direction, hint, this.shared.has(schema));
  }

  /** Returns a JSON Schema for use in the document. */
  adopt(json: JsonObject, direction: Direction, hint: string, isShared = false): JsonObject {
    let placed = this.placed.get(json);
    if (placed === undefined) {
      const { root, definitions } = takeApart(json);
      placed = new Adoption(this, definitions, root, { direction, hint }).run(isShared);
      this.placed.set(json, placed);
    }
    return placed;
  }

  /** Names a schema that has no name. Schemas with the same text get the same name. */
  nameByText(hint: string, text: string, direction: Direction): { name: string; isNew: boolean } {
    const known = this.nameless.get(text);
    if (known !== undefined) return { name: known, isNew: false };
    const made = this.nameFor(hint, text, direction);
    this.nameless.set(text, made.name);
    return made;
  }

  /**
   * Gives a schema a unique name.
   * @param text the whole schema as text: schemas with the same text are the same
   */
  nameFor(wanted: string, text: string, direction: Direction): { name: string; isNew: boolean } {
    const base = wanted.replace(/[^\w.-]+/g, '_').replace(/^__proto__$/, '_proto_') || '_';
    const suffixed = base + (direction === 'input' ? 'Input' : 'Output');
    for (let i = 0; ; i++) {
      const name = i === 0 ? base : i === 1 ? suffixed : `${base}${i}`;
      const taken = this.texts.get(name);
      if (taken !== undefined && taken !== text) continue;
      this.texts.set(name, text);
      return { name, isNew: taken === undefined };
    }
  }

  /**
   * Reads the input form of a response schema if the output form differs only in forbidding other properties: schemas
   * do not change what handlers send, so such properties may exist.
   */
  private preferInput(schema: StandardSchema, direction: Direction): JsonObject {
    const json = this.read(schema, direction);
    if (direction === 'input' || !JSON.stringify(json).includes(CLOSED)) return json;
    const input = this.readInput(schema);
    return input !== undefined && open(input) === open(json) ? input : json;
  }

  private readInput(schema: StandardSchema): JsonObject | undefined {
    try {
      return this.read(schema, 'input');
    } catch {
      return undefined;
    }
  }
}

const CLOSED = '"additionalProperties":false';

function open(json: JsonObject): string {
  return JSON.stringify(json).replaceAll(`,${CLOSED}`, '');
}

/** Adds one JSON Schema to the document. */
class Adoption {
  /** The names that its definitions have in the document. */
  private readonly names = new Map<string | undefined, string>();

  constructor(
    private readonly components: Components,
    private readonly definitions: Definitions,
    private readonly root: JsonObject,
    private readonly use: { direction: Direction; hint: string },
  ) {}

  run(isShared: boolean): JsonObject {
    const { root } = this;
    const reachable = [root, ...this.reachedFrom(root)];
    const isRecursive = reachable.flatMap(referencesIn).some(to => this.keyOf(to) === undefined);
    // A schema that is only a reference needs no second name.
    if (isRecursive || isNamed(root) || (isShared && root.$ref === undefined)) {
      return referTo(this.nameOf(undefined));
    }
    return this.rewritten(root);
  }

  /**
   * Returns the name of the definition that a reference points to, undefined for the root: a definition may refer to
   * the root too.
   */
  private keyOf(reference: string): string | undefined {
    const { name } = readReference(reference);
    const isKnown = name === undefined ? /^#(?:\/|$)/.test(reference) : this.definitions.has(name);
    if (!isKnown) throw leadsNowhere(reference);
    return name;
  }

  private definition(key: string | undefined): JsonObject {
    return key === undefined ? this.root : this.definitions.get(key)!;
  }

  /** Returns the definitions that a schema refers to, directly or indirectly. */
  private reachedFrom(schema: JsonObject): JsonObject[] {
    const found = new Set<string | undefined>();
    const visit = (from: JsonObject): void => {
      for (const key of referencesIn(from).map(reference => this.keyOf(reference))) {
        if (found.has(key)) continue;
        found.add(key);
        visit(this.definition(key));
      }
    };
    visit(schema);
    return [...found].map(key => this.definition(key));
  }

  private textOf(schema: JsonObject): string {
    return JSON.stringify([schema, ...this.reachedFrom(schema)]);
  }

  /** Returns the name of a definition in the document, and adds it to the document on first use. */
  private nameOf(key: string | undefined): string {
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const schema = this.definition(key);
    const { direction, hint } = this.use;
    const given = key === undefined || GENERATED.test(key) ? titleOf(schema) : key;
    const text = this.textOf(schema);
    const { name, isNew } =
      given === undefined
        ? this.components.nameByText(hint, text, direction)
        : this.components.nameFor(given, text, direction);
    this.names.set(key, name);
    if (isNew) this.enter(name, schema);
    return name;
  }

  private enter(name: string, schema: JsonObject): void {
    // Reserves the position: schemas are ordered by their first mention.
    this.components.schemas.set(name, {});
    this.components.schemas.set(name, this.rewritten(schema));
  }

  /** Returns a copy in which references point into the document and titled schemas within it are components. */
  private rewritten(schema: JsonObject): JsonObject {
    const copy = mapChildren(schema, child => {
      return isNamed(child) ? referTo(this.nameOfTitled(child)) : this.rewritten(child);
    });
    return typeof copy.$ref === 'string' ? { ...copy, ...this.referenceFor(copy.$ref) } : copy;
  }

  /** Returns the name of the component that a nested schema becomes because it has a title. */
  private nameOfTitled(schema: JsonObject): string {
    const text = this.textOf(schema);
    const { name, isNew } = this.components.nameFor(titleOf(schema)!, text, this.use.direction);
    if (isNew) this.enter(name, schema);
    return name;
  }

  /** Returns the same reference in the document. A titled schema along its path is a component there. */
  private referenceFor(reference: string): JsonObject {
    const key = this.keyOf(reference);
    let nameOfBase = (): string => this.nameOf(key);
    let at: unknown = this.definition(key);
    let rest = '';
    for (const token of readReference(reference).rest.split('/').slice(1)) {
      const name = unescaped(token);
      if (at !== Object(at) || !Object.hasOwn(at as object, name)) throw leadsNowhere(reference);
      const next = (at as JsonObject)[name];
      at = next;
      rest += `/${token}`;
      if (!isObject(next) || !isNamed(next)) continue;
      nameOfBase = () => this.nameOfTitled(next);
      rest = '';
    }
    return referTo(nameOfBase(), rest);
  }
}

function referTo(name: string, rest = ''): JsonObject {
  return { $ref: `#/components/schemas/${name}${rest}` };
}

function titleOf({ title }: JsonObject): string | undefined {
  return typeof title === 'string' && title !== '' ? title : undefined;
}

/** Objects and unions are named by their title; the title of a string or a number is only a label. */
function isNamed(schema: JsonObject): boolean {
  const { type, oneOf, anyOf, allOf } = schema;
  return titleOf(schema) !== undefined && (type === 'object' || Boolean(oneOf ?? anyOf ?? allOf));
}
