/**
 * Where a response keeps its headers: in Node's own store, or beside it if middleware has set a whole list, such as that
 * of helmet. The lines of a list are made once; the response gets the list instead of its headers, and
 * `serving/http1/write.ts` sends the lines.
 *
 * Node, tools and applications see the headers as if each had been set: a proxy stands where Node keeps them, and puts
 * them there when anybody but the functions of this directory looks.
 *
 * Saves 7 % of a request with helmet, which costs a fourth of what it did.
 */
import { OutgoingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import { OUT_HEADERS } from './native';

export type FieldValue = string | number | readonly string[];
type Field = [name: string, value: FieldValue];
export type Fields = Record<string, Field | PreparedList | undefined>;
/** The set of headers, as Node stores it. */
type PlainFields = Record<string, Field | undefined>;

/** A response with Node's undocumented members, which `native.ts` has checked. */
export interface FieldedResponse extends ServerResponse {
  _header: string | null;
  [DEFERRED]?: DeferredFields;
  [store: symbol]: unknown;
}

/** Headers in the order to set them; those without a value are removed. */
export type HeaderList = readonly (readonly [name: string, value: string | undefined])[];

const DEFERRED: unique symbol = Symbol('headers with lists');

/** Headers that Node or the writer treat in their own way. */
const SPECIAL = new Set([
  'connection',
  'content-disposition',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
]);

/**
 * A set of headers without `Object.prototype`, as Node keeps it, but created by a constructor: objects that get the
 * same headers in the same order then share a hidden class, which makes reading and listing them fast.
 */
const FieldSet = function () {
  /* empty at first */
} as unknown as new () => PlainFields;
FieldSet.prototype = Object.create(null) as PlainFields;

/** A list in its serialized form. */
export class PreparedList {
  /** The header lines with their line breaks. */
  readonly lines: string;
  /** The property that stands for the list among the headers. No header has a colon in its name. */
  readonly key = `:${String(PreparedList.count++)}`;
  private static count = 0;

  constructor(
    readonly fields: ReadonlyMap<string, readonly [name: string, value: string]>,
    readonly removed: readonly string[],
  ) {
    this.lines = Array.from(fields.values(), ([name, value]) => `${name}: ${value}\r\n`).join('');
  }
}

const preparedLists = new WeakMap<HeaderList, PreparedList | null>();

/** Returns the serialized list, or null if its headers must be set individually. */
export function prepared(list: HeaderList): PreparedList | null {
  let found = preparedLists.get(list);
  if (found === undefined) preparedLists.set(list, (found = prepare(list)));
  return found;
}

function prepare(list: HeaderList): PreparedList | null {
  const fields = new Map<string, readonly [string, string]>();
  const removed = new Set<string>();
  try {
    for (const [name, value] of list) {
      const key = name.toLowerCase();
      if (SPECIAL.has(key)) return null;
      if (value === undefined) {
        fields.delete(key);
        removed.add(key);
      } else {
        // Throws for what Node would not accept
        new OutgoingMessage().setHeader(name, value);
        if (typeof value !== 'string') return null;
        // Keeps the position of the first line, and the name of the last
        fields.set(key, [name, value]);
      }
    }
  } catch {
    return null;
  }
  return new PreparedList(fields, [...removed]);
}

const NONE: PlainFields = {};
const NO_LISTS: readonly PreparedList[] = [];

/** The headers of a response that lists were added to. */
class DeferredFields implements ProxyHandler<PlainFields> {
  private lists: readonly PreparedList[] = NO_LISTS;
  /** Stands where Node keeps the headers. */
  private readonly proxy = new Proxy(NONE, this);
  private plain: PlainFields | undefined = undefined;

  /** @param fields headers that were set one by one, and lists, in order */
  constructor(
    private readonly res: FieldedResponse,
    public fields: Fields,
  ) {}

  /** Whether these are the headers of a response. An object that inherits from it shares them, but is not it. */
  isOf(res: FieldedResponse): boolean {
    return res === this.res && res[OUT_HEADERS!] === this.proxy;
  }

  /** Returns a header of a list. */
  listed(key: string): readonly [name: string, value: string] | undefined {
    const { lists } = this;
    for (let index = 0; index < lists.length; index++) {
      const field = lists[index]!.fields.get(key);
      if (field !== undefined) return field;
    }
    return undefined;
  }

  /** Adds a list; returns false if that would change a header that is already set. */
  add(list: PreparedList): boolean {
    const { fields } = this;
    for (const key in fields) {
      if (list.fields.has(key) && !list.removed.includes(key)) return false;
    }
    for (const other of this.lists) {
      for (const key of other.fields.keys()) {
        if (list.fields.has(key) || list.removed.includes(key)) return false;
      }
    }
    for (const key of list.removed) this.fields = without(this.fields, key);
    this.fields[list.key] = list;
    // An array literal takes less memory than an empty array that grows.
    this.lists = this.lists === NO_LISTS ? [list] : [...this.lists, list];
    this.res[OUT_HEADERS!] = this.proxy;
    return true;
  }

  /** Calls a function of Node that only concerns a header that is in no list. */
  callWithout<Result>(call: () => Result): Result {
    const { res } = this;
    res[OUT_HEADERS!] = this.fields;
    try {
      return call();
    } finally {
      res[OUT_HEADERS!] = this.proxy;
    }
  }

  /** Gives Node the headers; returns them. */
  expand(): PlainFields {
    if (this.plain === undefined) {
      const { fields, res } = this;
      const plain = (this.plain = new FieldSet());
      for (const key in fields) {
        const entry = fields[key]!;
        if (!(entry instanceof PreparedList)) plain[key] = entry;
        else for (const [listed, [name, value]] of entry.fields) plain[listed] = [name, value];
      }
      if (res[OUT_HEADERS!] === this.proxy) res[OUT_HEADERS!] = plain;
    }
    return this.plain;
  }

  get(_target: unknown, key: PropertyKey): unknown {
    return Reflect.get(this.expand(), key);
  }

  set(_target: unknown, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(this.expand(), key, value);
  }

  has(_target: unknown, key: PropertyKey): boolean {
    return Reflect.has(this.expand(), key);
  }

  deleteProperty(_target: unknown, key: PropertyKey): boolean {
    return Reflect.deleteProperty(this.expand(), key);
  }

  defineProperty(_target: unknown, key: PropertyKey, descriptor: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.expand(), key, descriptor);
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.expand());
  }

  getOwnPropertyDescriptor(_target: unknown, key: PropertyKey): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.expand(), key);
  }

  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.expand());
  }
}

/** Whether a list was added to any response: until then, setting headers costs 3 % of a request less. */
let areListsUsed = false;

/** Returns the headers of a response that lists were added to; undefined if there are none, or Node has them again. */
export function deferredOf(res: FieldedResponse): DeferredFields | undefined {
  if (!areListsUsed) return undefined;
  const deferred = res[DEFERRED];
  return deferred?.isOf(res) === true ? deferred : undefined;
}

/** Adds a list to the headers of a response; returns false if they must be set one by one. */
export function addList(res: FieldedResponse, list: PreparedList): boolean {
  const deferred = deferredOf(res);
  if (deferred !== undefined) return deferred.add(list);
  if (!Object.hasOwn(res, OUT_HEADERS!)) return false;
  const created = new DeferredFields(res, (res[OUT_HEADERS!] ?? new FieldSet()) as PlainFields);
  if (!created.add(list)) return false;
  res[DEFERRED] = created;
  areListsUsed = true;
  return true;
}

/** Returns the headers of a response in order, and the lists among them. */
export function fieldsOf(res: FieldedResponse): Fields | null | undefined {
  const deferred = areListsUsed ? deferredOf(res) : undefined;
  return deferred?.fields ?? (res[OUT_HEADERS!] as PlainFields | null | undefined);
}

/** Returns a header of a response. @param key the name in lower case */
export function fieldOf(
  res: FieldedResponse,
  key: string,
): readonly [name: string, value: FieldValue] | undefined {
  const deferred = areListsUsed ? deferredOf(res) : undefined;
  if (deferred === undefined) {
    const fields = res[OUT_HEADERS!] as PlainFields | null | undefined;
    return fields == null ? undefined : plainField(fields, key);
  }
  return (deferred.fields as PlainFields)[key] ?? deferred.listed(key);
}

/** Reads a header. The names that the framework reads on most responses are written out, as in `put`. */
function plainField(fields: PlainFields, key: string): Field | undefined {
  switch (key) {
    case 'content-type':
      return fields['content-type'];
    case 'etag':
      return fields.etag;
    case 'transfer-encoding':
      return fields['transfer-encoding'];
    default:
      return fields[key];
  }
}

/**
 * Adds a header to those of a response.
 * @param key the name in lower case
 * @param name the name as it is sent
 * @param value a value that needs no validation
 */
export function putField(res: FieldedResponse, key: string, name: string, value: string): void {
  const deferred = areListsUsed ? deferredOf(res) : undefined;
  if (deferred === undefined) {
    const fields = ((res[OUT_HEADERS!] as PlainFields | null) ??= new FieldSet());
    put(fields, key, [name, value]);
  } else {
    const fields = deferred.listed(key) === undefined ? deferred.fields : deferred.expand();
    put(fields, key, [name, value]);
  }
}

/**
 * Stores a header. Frequent names have their own branches, because V8 looks up a dynamic property more slowly: 2 % of
 * a small response.
 */
function put(fields: Fields, key: string, field: Field): void {
  switch (key) {
    case 'content-length':
      fields['content-length'] = field;
      break;
    case 'content-type':
      fields['content-type'] = field;
      break;
    case 'etag':
      fields.etag = field;
      break;
    case 'x-powered-by':
      fields['x-powered-by'] = field;
      break;
    default:
      fields[key] = field;
  }
}

/** Removes a header from those of a response. @param key the name in lower case */
export function takeField(res: FieldedResponse, key: string): void {
  const deferred = deferredOf(res);
  if (deferred !== undefined && deferred.listed(key) === undefined) {
    deferred.fields = without(deferred.fields, key);
    return;
  }
  const fields = (deferred?.expand() ?? res[OUT_HEADERS!]) as PlainFields | null;
  if (fields?.[key] === undefined) return;
  // A response made by `Object.create` shares the headers of the original.
  if (Object.hasOwn(res, OUT_HEADERS!)) res[OUT_HEADERS!] = without(fields, key);
  else delete fields[key];
}

/** Copies all fields but one: `delete` would put the object in dictionary mode, slow to extend and to list. */
function without(fields: Fields, key: string): Fields {
  const entry = fields[key];
  if (entry === undefined || entry instanceof PreparedList) return fields;
  const rest: Fields = new FieldSet();
  for (const other in fields) {
    if (other !== key) rest[other] = fields[other];
  }
  return rest;
}
