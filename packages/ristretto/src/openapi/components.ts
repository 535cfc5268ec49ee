/** The schemas of a document: each stands there once, under a name of its own, and is referred to. */
import type { JsonObject } from '../types/description';
import type { OpenApiOptions } from '../types/openapi';
import type { StandardSchema } from '../types/validation';
import { convert } from './convert';
import type { Direction } from './convert';
import { mapChildren, readReference, referencesIn, takeApart } from './json-schema';
import type { Definitions } from './json-schema';

/** Names that libraries give definitions whose author gave none. */
const GENERATED = /^(?:__schema|intersection|union)?\d+$/;

export class Components {
  /** By name. */
  readonly schemas = new Map<string, JsonObject>();
  /** What each name stands for, as text. */
  private readonly texts = new Map<string, string>();
  /** The names of those whose author gave none, by text. */
  private readonly nameless = new Map<string, string>();
  private readonly converted = new Map<string, Map<StandardSchema, JsonObject>>();
  /** What stands in the document for a JSON Schema. */
  private readonly placed = new Map<JsonObject, JsonObject>();
  private readonly used = new Set<StandardSchema>();
  private readonly shared = new Set<StandardSchema>();

  constructor(private readonly own: OpenApiOptions['toJSONSchema']) {}

  /** Notes a use: what is used twice gets a name. */
  count(schema: StandardSchema): void {
    if (this.used.has(schema)) this.shared.add(schema);
    this.used.add(schema);
  }

  /** The JSON Schema of a schema, as its library makes it. */
  read(schema: StandardSchema, direction: Direction): JsonObject {
    let known = this.converted.get(direction);
    if (known === undefined) this.converted.set(direction, (known = new Map<StandardSchema, JsonObject>()));
    let json = known.get(schema);
    if (json === undefined) known.set(schema, (json = convert(schema, direction, this.own)));
    return json;
  }

  /**
   * A schema for use in the document: a reference where it has a title or is used elsewhere too.
   * @param hint a name for what has none
   */
  use(schema: StandardSchema, direction: Direction, hint: string): JsonObject {
    return this.adopt(this.preferInput(schema, direction), direction, hint, this.shared.has(schema));
  }

  /** A JSON Schema for use in the document. */
  adopt(json: JsonObject, direction: Direction, hint: string, isShared = false): JsonObject {
    let placed = this.placed.get(json);
    if (placed === undefined) {
      const { root, definitions } = takeApart(json);
      placed = new Adoption(this, definitions, root, { direction, hint }).run(isShared);
      this.placed.set(json, placed);
    }
    return placed;
  }

  /** Names a schema that has no name: what has the same text is the same. */
  nameByText(hint: string, text: string, direction: Direction): { name: string; isNew: boolean } {
    const known = this.nameless.get(text);
    if (known !== undefined) return { name: known, isNew: false };
    const made = this.nameFor(hint, text, direction);
    this.nameless.set(text, made.name);
    return made;
  }

  /** Gives a schema a name that no other has. @param text all of it: what has the same text is the same */
  nameFor(wanted: string, text: string, direction: Direction): { name: string; isNew: boolean } {
    const base = wanted.replace(/[^\w.-]+/g, '_').replace(/^__proto__$/, '_proto_');
    const suffixed = base + (direction === 'input' ? 'Input' : 'Output');
    for (let i = 0; ; i++) {
      const name = i === 0 ? base : i === 1 ? suffixed : `${base}${i}`;
      const taken = this.texts.get(name);
      if (taken !== undefined && taken !== text) continue;
      this.texts.set(name, text);
      return { name, isNew: taken === undefined };
    }
  }

  /** What handlers send is not changed by the schema: where output only adds that nothing else is there, input is true. */
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

/** One JSON Schema on its way into the document. */
class Adoption {
  /** The names of its definitions in the document. */
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
    // A reference alone needs no second name.
    if (isRecursive || isNamed(root) || (isShared && root.$ref === undefined)) {
      return referTo(this.nameOf(undefined));
    }
    return this.rewritten(root);
  }

  /** What a reference means: the root too may have a definition of its own. */
  private keyOf(reference: string): string | undefined {
    const { name } = readReference(reference);
    const isKnown = name === undefined ? /^#(?:\/|$)/.test(reference) : this.definitions.has(name);
    if (!isKnown) throw new Error(`the reference ${reference} leads nowhere`);
    return name;
  }

  private definition(key: string | undefined): JsonObject {
    return key === undefined ? this.root : this.definitions.get(key)!;
  }

  /** The definitions that a schema refers to, those that they refer to, and so on. */
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

  /** The name of a definition in the document, which it enters when it is first asked for. */
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
    // The place in the order is that of the first mention.
    this.components.schemas.set(name, {});
    this.components.schemas.set(name, this.rewritten(schema));
  }

  /** With references into the document, and those within that have a title as components. */
  private rewritten(schema: JsonObject): JsonObject {
    const copy = mapChildren(schema, child => {
      if (!isNamed(child)) return this.rewritten(child);
      const { name, isNew } = this.components.nameFor(
        titleOf(child)!,
        this.textOf(child),
        this.use.direction,
      );
      if (isNew) this.enter(name, child);
      return referTo(name);
    });
    if (typeof copy.$ref !== 'string') return copy;
    const { rest } = readReference(copy.$ref);
    return { ...copy, ...referTo(this.nameOf(this.keyOf(copy.$ref)), rest) };
  }
}

function referTo(name: string, rest = ''): JsonObject {
  return { $ref: `#/components/schemas/${name}${rest}` };
}

function titleOf({ title }: JsonObject): string | undefined {
  return typeof title === 'string' && title !== '' ? title : undefined;
}

/** Objects and choices are known by their title; that of a text or a number is a label. */
function isNamed(schema: JsonObject): boolean {
  const { type, oneOf, anyOf, allOf } = schema;
  return titleOf(schema) !== undefined && (type === 'object' || Boolean(oneOf ?? anyOf ?? allOf));
}
