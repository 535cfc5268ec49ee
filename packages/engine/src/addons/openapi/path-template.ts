/** Converts path patterns to the form of OpenAPI: `/users/:id?` becomes `/users/{id}` and `/users`. */
import type { PathPart, ReadVariants } from '../../router/written-path';
import { tokenize } from '../../router/pattern/tokens';
import type { Token } from '../../router/pattern/tokens';

export interface TemplateParameter {
  name: string;
  /** Its name in the pattern, and therefore in the schema of `params`. */
  schemaName: string;
  /** The regular expression that the pattern requires, for JSON Schema. */
  pattern: string | undefined;
  /** Whether the value may contain slashes. */
  isRest: boolean;
}

/** A path of OpenAPI. */
export interface Template {
  path: string;
  parameters: TemplateParameter[];
}

/** A literal, or a parameter with the text directly before it. */
type Piece = { literal: string } | { prefix: string; parameter: TemplateParameter; isOptional: boolean };

/** Characters that Express reads as part of a regular expression. (Braces would be parameters in OpenAPI.) */
const SPECIAL = /[?+()[\]{}|^$]/;
/** Four optional parameters already make 16 paths. */
const MOST_OPTIONAL = 4;
const TOO_MANY_OPTIONAL = `more than ${MOST_OPTIONAL} optional parameters`;

/**
 * Returns the paths that a pattern represents, the longest first.
 * @param readVariants reads a pattern that does not have the engine's own grammar
 * @returns the templates, or the reason why OpenAPI cannot express the pattern
 */
export function templatesOf(pattern: string, readVariants?: ReadVariants): Template[] | string {
  if (readVariants !== undefined) return templatesOfVariants(pattern, readVariants);
  if (!pattern.startsWith('/')) return 'matches paths of any form';
  const pieces = piecesOf(tokenize(pattern));
  if (typeof pieces === 'string') return pieces;
  const names = pieces.flatMap(piece => ('parameter' in piece ? piece.parameter.name : []));
  if (new Set(names).size < names.length) return 'two parameters have the same name';
  const optional = pieces.filter(piece => 'parameter' in piece && piece.isOptional);
  if (optional.length > MOST_OPTIONAL) return TOO_MANY_OPTIONAL;
  return variantsOf(pieces).flatMap(fromRoot);
}

function templatesOfVariants(pattern: string, readVariants: ReadVariants): Template[] | string {
  let variants;
  try {
    variants = readVariants(pattern);
  } catch {
    return 'mounted at a path that only another version of Express can read';
  }
  if (variants.length > 2 ** MOST_OPTIONAL) return TOO_MANY_OPTIONAL;
  const names = variants.flat().flatMap(part => (part.type === 'text' ? [] : part.name));
  const unusual = names.find(name => !/^\w+$/.test(name));
  if (unusual !== undefined) return `"${unusual}" is no name for generated clients`;
  return variants.map(parts => parts.map(ofPart).reduceRight(joined, END)).flatMap(fromRoot);
}

const END: Template = { path: '', parameters: [] };

function ofPart(part: PathPart): Piece {
  if (part.type === 'text') return { literal: part.value };
  const { name } = part;
  const parameter = { name, schemaName: name, pattern: undefined, isRest: part.type === 'wildcard' };
  return { prefix: '', parameter, isOptional: false };
}

/**
 * Paths begin with a slash: a leading `*` includes it, and a path that begins with anything else matches no request.
 */
function fromRoot({ path, parameters }: Template): Template[] {
  if (path.startsWith('/')) return [{ path, parameters }];
  const isAny = path === '' || (path.startsWith('{') && parameters[0]!.isRest);
  return isAny ? [{ path: `/${path}`, parameters }] : [];
}

function piecesOf(tokens: readonly Token[]): Piece[] | string {
  const pieces: Piece[] = [];
  const taken = new Set(tokens.map(token => (token.kind === 'parameter' ? token.name : '')));
  let stars = 0;
  for (const token of tokens) {
    const piece = token.kind === 'star' ? rest(freeName(taken), String(stars++)) : pieceOf(token);
    if (piece === undefined) return `"${token.text}" is part of a regular expression`;
    pieces.push(piece);
  }
  return pieces;
}

function pieceOf(token: Token): Piece | undefined {
  const { text } = token;
  if (token.kind === 'parameter') {
    const { slash, dot, name, expression, star, optional } = token;
    const pattern = expression === '' ? undefined : `^(?:${expression.slice(1, -1)})$`;
    const parameter = { name, schemaName: name, pattern, isRest: star };
    return { prefix: slash + (dot ? '.' : ''), parameter, isOptional: optional };
  }
  if (token.kind === 'escape') {
    // `\d` is a character class, `\.` is a dot
    return /\\[\w{}]/.test(text) ? undefined : { literal: text.slice(1) };
  }
  return SPECIAL.test(text) ? undefined : { literal: text };
}

/**
 * Creates the parameter for a `*`, which matches the rest of a path. Its name in `req.params` is a number, which is
 * not a valid name in the languages of generated clients.
 */
function rest(name: string, schemaName: string): Piece {
  const parameter = { name, schemaName, pattern: undefined, isRest: true };
  return { prefix: '', parameter, isOptional: false };
}

/** Returns `splat`, `splat2` and so on: the first name that no parameter of the path has. */
function freeName(taken: Set<string>): string {
  let name = 'splat';
  for (let i = 2; taken.has(name); i++) name = `splat${i}`;
  taken.add(name);
  return name;
}

/** Returns the variants with and without each optional parameter; the last one is left out first. */
function variantsOf([first, ...others]: readonly Piece[]): Template[] {
  if (first === undefined) return [END];
  const tails = variantsOf(others);
  const heads = 'parameter' in first && first.isOptional ? [first, { literal: '' }] : [first];
  return heads.flatMap(head => tails.map(tail => joined(tail, head)));
}

function joined({ path, parameters }: Template, head: Piece): Template {
  if ('literal' in head) return { path: head.literal + path, parameters };
  const { prefix, parameter } = head;
  return { path: `${prefix}{${parameter.name}}${path}`, parameters: [parameter, ...parameters] };
}
