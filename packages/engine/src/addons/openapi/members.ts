/** The members of an object schema: each becomes a parameter. */
import type { JsonObject } from '../../types/description';
import { isObject, leadsNowhere, readReference, takeApart } from './json-schema';

export interface Member {
  schema: JsonObject;
  isRequired: boolean;
}
type Members = Map<string, Member>;

/** The largest depth of nested schemas and references. */
const DEEPEST = 50;

/**
 * Returns the members of the objects that a JSON Schema describes, by name. For alternatives, it returns the members of
 * all of them; a member is required only if every alternative requires it.
 * @throws Error if it does not describe an object
 */
export function membersOf(json: JsonObject): Members {
  const { root, definitions } = takeApart(json);

  function read(schema: JsonObject, depth: number): Members {
    if (depth > DEEPEST) throw new Error('it refers to itself');
    if (typeof schema.$ref === 'string') {
      const { name } = readReference(schema.$ref);
      const target = name === undefined ? root : definitions.get(name);
      if (target === undefined) throw leadsNowhere(schema.$ref);
      return read(target, depth + 1);
    }
    const inner = (list: unknown): Members[] =>
      Array.isArray(list) ? list.filter(isObject).map(one => read(one, depth + 1)) : [];
    const choices = [...inner(schema.anyOf), ...inner(schema.oneOf)];
    return joined([
      ownMembers(schema),
      ...inner(schema.allOf),
      ...(choices.length > 0 ? [either(choices)] : []),
    ]);
  }

  const isOther = root.type !== undefined && root.type !== 'object';
  if (isOther) throw new Error(`expected a schema for an object, got one for ${JSON.stringify(root.type)}`);
  const members = read(root, 0);
  const context = Object.fromEntries([...definitions].map(([name, schema]) => [name, schema]));
  if (definitions.size === 0) return members;
  return new Map(
    [...members].map(([name, member]) => [name, { ...member, schema: { ...member.schema, $defs: context } }]),
  );
}

function ownMembers({ properties, required }: JsonObject): Members {
  const names: unknown[] = Array.isArray(required) ? required : [];
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(
    entries.map(([name, schema]) => [
      name,
      { schema: isObject(schema) ? schema : {}, isRequired: names.includes(name) },
    ]),
  );
}

function joined(all: readonly Members[]): Members {
  const members: Members = new Map();
  for (const [name, member] of all.flatMap(one => [...one])) {
    const known = members.get(name);
    members.set(name, {
      schema: known === undefined ? member.schema : { allOf: [known.schema, member.schema] },
      isRequired: member.isRequired || known?.isRequired === true,
    });
  }
  return members;
}

function either(choices: readonly Members[]): Members {
  const names = new Set(choices.flatMap(choice => [...choice.keys()]));
  return new Map(
    [...names].map(name => {
      const found = choices.flatMap(choice => choice.get(name) ?? []);
      const schemas = [...new Map(found.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
      const isRequired = found.length === choices.length && found.every(one => one.isRequired);
      return [name, { schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas }, isRequired }];
    }),
  );
}
