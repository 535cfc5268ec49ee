/** Rewrites a source from the API of Express 4 to that of Express 5 where the result is certain, and lists the rest. */
import { Code, isDot, literal } from './code';
import type { Argument, Call } from './code';
import { convertPath } from './paths-of-5';
import type { Wildcard } from './paths-of-5';
import type { Rest } from './rest-of-5';
import type { Token } from './tokens';
import { rewriteUrlencoded } from './urlencoded';

export interface Rewritten {
  text: string;
  /** What was not rewritten, by the offset in the original source. */
  rest: { id: Rest; offset: number }[];
  /** The names of applications, with the offset after the statement that creates each; undefined if it is chained. */
  applications: { name: string; after: number | undefined }[];
}

const VERBS = 'all checkout copy delete get head link lock merge mkactivity mkcol move notify options patch';
const MORE =
  'post propfind proppatch purge put rebind report search source subscribe trace unbind unlink unlock';
/** Members whose first argument is a path, with the minimum number of arguments for that. */
const REGISTER: ReadonlyMap<string, number> = new Map([
  ...`${VERBS} ${MORE} del use`.split(' ').map(name => [name, 2] as const),
  ['route', 1],
]);

const RENAMED: Readonly<Record<string, string>> = {
  acceptsCharset: 'acceptsCharsets',
  acceptsEncoding: 'acceptsEncodings',
  acceptsLanguage: 'acceptsLanguages',
};
const REQUEST = /^req(?:uest)?$/;
const RESPONSE = /^res(?:ponse)?$/;
/** An absolute path, which `res.sendFile` requires. */
const ABSOLUTE = /^(?:path\.)?(?:join|resolve)\(|^__dirname\b|^require\.resolve\(/;
/** Text that is a path of Express 4 only, and such text in a piece of a template. */
const OLD_PATH = /^\/[^\s]*(?::\w+[?(*]|\/\*(?:\/|$))|^\*$/;
const OLD_PIECE = /\/:\w+[?(*]|\/\*$/;

/** Returns undefined if the source can't be split into tokens with certainty. */
export function rewrite(source: string): Rewritten | undefined {
  const code = Code.of(source);
  if (code === undefined) return undefined;
  const rest: Rewritten['rest'] = [];
  const leave = (id: Rest, { start }: Token) => rest.push({ id, offset: start });
  const known = new Set<Token>();
  const handlers = [...handlersIn(code)];
  for (const call of code.calls()) {
    const root = call.root?.text ?? '';
    const isNamed = (part: 'req' | 'res') =>
      call.isDirect &&
      handlers.some(handler => handler[part] === root && handler.from < call.open && call.open < handler.to);
    if (code.routers.has(root)) rewriteRegistration(code, call, known, leave);
    else if (RESPONSE.test(root) || isNamed('res')) rewriteResponse(code, call, leave);
    else if (REQUEST.test(root) || isNamed('req')) rewriteRequest(code, call, leave);
  }
  rewriteMembers(code, known, leave);
  rewriteUrlencoded(code, leave);
  return { text: code.rewritten(), rest, applications: [...applicationsIn(code)] };
}

/** A function that is registered, with the names of its parameters. */
interface Handler extends Argument {
  req: string | undefined;
  res: string | undefined;
}

/** Yields the handlers in registrations whose names have no other meaning in them. */
function* handlersIn(code: Code): Generator<Handler> {
  const { tokens } = code;
  for (const { root, name, args } of code.calls()) {
    if (!code.routers.has(root?.text ?? '') || !REGISTER.has(name.text)) continue;
    for (const { from, to } of args) {
      let open = from;
      while (tokens[open]?.kind === 'name' && open < to) open++;
      const close = tokens[open]?.text === '(' ? tokens[open]!.partner : undefined;
      if (close === undefined || (open === from && tokens[close + 1]?.text !== '=>')) continue;
      const names = tokens.slice(open + 1, close);
      if (!names.every(({ kind, text }, at) => (at % 2 === 0 ? kind === 'name' : text === ','))) continue;
      const [first, second, third, fourth] = names.filter((_, at) => at % 2 === 0).map(({ text }) => text);
      const [req, res] = fourth === undefined ? [first, second] : [second, third];
      const isOwn = (text: string | undefined) => !declares(tokens.slice(close + 1, to), text);
      yield { from, to, req: isOwn(req) ? req : undefined, res: isOwn(res) ? res : undefined };
    }
  }
}

/** Whether code may give a name another meaning: it does more with it than to read members. */
function declares(tokens: readonly Token[], name: string | undefined): boolean {
  return tokens.some(({ text }, at) => text === name && !isDot(tokens[at - 1]) && !isDot(tokens[at + 1]));
}

type Leave = (id: Rest, token: Token) => void;

function rewriteRegistration(code: Code, call: Call, known: Set<Token>, leave: Leave): void {
  const { name, args, open, close } = call;
  const [first] = args;
  if (first === undefined) return;
  if (name.text === 'param') {
    const text = literal(code.only(first));
    for (const token of pathsIn(code, first))
      if (literal(token)?.startsWith(':')) code.replace(token.start + 1, token.start + 2, '');
    if (args.length === 1 && text === undefined) leave('param-function', name);
    return;
  }
  if (args.length < (REGISTER.get(name.text) ?? Infinity)) return;
  if (name.text === 'del') code.replace(name.start, name.end, 'delete');
  const inner = code.tokens.slice(open, close);
  if (inner[1]?.kind === 'regexp') inner.forEach(token => known.add(token));
  const paths = pathsIn(code, first);
  paths.forEach(token => known.add(token));
  const converted = paths.map(token => convertPath(literal(token) ?? token.text));
  if (converted.every((each, i) => each !== undefined && each.path === literal(paths[i]))) return;
  const wildcards = converted.flatMap(each => each?.wildcards ?? []);
  const reads = readsIn(code, open, close);
  // In a list, the number of a wildcard depends on the path that matches
  const isUnclear = paths.length > 1 && wildcards.length > 0 && reads.length > 0;
  for (const [i, token] of paths.entries()) {
    const path = isUnclear ? undefined : converted[i]?.path;
    if (path === undefined) leave('path', token);
    else if (path !== literal(token)) code.replace(token.start + 1, token.end - 1, path);
  }
  if (isUnclear || converted.includes(undefined)) return;
  for (const read of reads) replaceRead(code, read, wildcards, known);
  if (wildcards.length === 0 || reads.length > 0) return;
  // Destructured or passed on, the numbers of wildcards may be read where nothing says so
  const whole = inner.find(
    ({ text, kind }, at) =>
      kind === 'name' && text === 'params' && !isDot(inner[at + 1]) && inner[at + 1]?.text !== '[',
  );
  if (whole !== undefined) leave('numbered-parameter', whole);
}

/** Returns the literals of a path, or of a list of paths; none for other expressions. */
function pathsIn(code: Code, argument: Argument): Token[] {
  const only = code.only(argument);
  const list = only === undefined ? listIn(code, argument) : [only];
  return list.every(token => token.kind === 'string' || literal(token) !== undefined) ? list : [];
}

function listIn({ tokens }: Code, { from, to }: Argument): Token[] {
  if (tokens[from]!.text !== '[' || tokens[from]!.partner !== to - 1) return [];
  const inner = tokens.slice(from + 1, to - 1);
  return inner.every((token, i) => i % 2 === 0 || token.text === ',')
    ? inner.filter((_, i) => i % 2 === 0)
    : [];
}

/** A read of a parameter by its number: `req.params[0]`. */
interface Read {
  /** The index of `params`. */
  at: number;
  number: number;
}

function readsIn({ tokens }: Code, from: number, to: number): Read[] {
  const reads: Read[] = [];
  for (let at = from; at < to; at++) {
    if (tokens[at]!.text !== 'params' || tokens[at + 1]?.text !== '[' || tokens[at + 3]?.text !== ']')
      continue;
    const index = tokens[at + 2]!;
    const text = literal(index) ?? index.text;
    if (/^\d+$/.test(text)) reads.push({ at, number: Number(text) });
  }
  return reads;
}

function replaceRead(code: Code, { at, number }: Read, wildcards: Wildcard[], known: Set<Token>): void {
  const { tokens } = code;
  const wildcard = wildcards.find(({ index }) => index === number);
  const request = tokens[at - 2];
  const isDirect = isDot(tokens[at - 1]) && request?.kind === 'name' && !isDot(tokens[at - 3]);
  if (wildcard === undefined || !isDirect || tokens[at + 4]?.text === '=') return;
  known.add(tokens[at]!);
  code.replace(request.start, tokens[at + 3]!.end, wildcard.read(`${request.text}.params`));
}

function rewriteResponse(code: Code, call: Call, leave: Leave): void {
  const { name, args } = call;
  const [first, second] = args.map(argument => code.textOf(argument));
  const isNumber = (text: string | undefined) => /^\d+$/.test(text ?? '');
  switch (name.text) {
    case 'json':
    case 'jsonp':
    case 'send': {
      if (args.length === 1 && name.text === 'send' && isNumber(first))
        code.replaceCall(call, `sendStatus(${first!})`);
      if (args.length !== 2) return;
      // Each takes the status in either place; if both are numbers, `send` takes the first, and the others the second
      const isFirst = isNumber(first) && (name.text === 'send' || !isNumber(second));
      const body = code.rangeOf(args[isFirst ? 1 : 0]!);
      const status = isFirst ? first : second;
      if (isNumber(status)) code.replaceCall(call, `status(${status!}).${name.text}(`, body, ')');
      else leave('status-argument', name);
      return;
    }
    case 'redirect':
    case 'location':
      rewriteRedirect(code, call, leave);
      return;
    case 'sendfile':
      if (ABSOLUTE.test(first ?? '') || /^\{[^]*\broot\b/.test(second ?? ''))
        code.replace(name.start, name.end, 'sendFile');
      else leave('sendfile', name);
  }
}

function rewriteRedirect(code: Code, call: Call, leave: Leave): void {
  const { name, args, root } = call;
  const isStatus = (argument: Argument | undefined) => code.only(argument)?.kind === 'number';
  const url = args.find(argument => !isStatus(argument));
  if (url === undefined || args.length > 2) return;
  const isBack = literal(code.only(url)) === 'back';
  const isSwapped = args.length === 2 && isStatus(args[1]);
  const isText = /^['"`]/.test(code.tokens[args[0]!.from]!.text);
  if (args.length === 2 && !args.some(isStatus) && (isBack || isText)) {
    leave('status-argument', name);
    return;
  }
  if (!isBack && !isSwapped) return;
  const status = args.find(isStatus);
  const target = isBack ? `${root!.text}.req.get('Referrer') || '/'` : code.rangeOf(url);
  code.replaceCall(call, `${name.text}(${status ? `${code.textOf(status)}, ` : ''}`, target, ')');
}

function rewriteRequest(code: Code, call: Call, leave: Leave): void {
  const { name, args, root, isDirect, close } = call;
  const renamed = Object.hasOwn(RENAMED, name.text) ? RENAMED[name.text] : undefined;
  if (renamed !== undefined) code.replace(name.start, name.end, renamed);
  if (name.text !== 'param' || args.length === 0) return;
  const parameter = literal(code.only(args[0]));
  if (parameter === undefined || !isDirect || !/^[a-z_$][\w$]*$/i.test(parameter)) {
    leave('req-param', name);
    return;
  }
  const fallback = args[1] === undefined ? [] : [' ?? ', code.rangeOf(args[1])];
  const req = root!.text;
  const text = `(${req}.params.${parameter} ?? ${req}.body?.${parameter} ?? ${req}.query.${parameter}`;
  code.replace(root!.start, code.tokens[close]!.end, text, ...fallback, ')');
}

/** Rewrites and lists uses other than calls. */
function rewriteMembers(code: Code, known: ReadonlySet<Token>, leave: Leave): void {
  const { tokens } = code;
  for (const { at } of readsIn(code, 0, tokens.length))
    if (!known.has(tokens[at]!)) leave('numbered-parameter', tokens[at]!);
  for (const [at, token] of tokens.entries()) {
    const isOld = token.kind === 'template' ? OLD_PIECE : OLD_PATH;
    if (/^['"`}]/.test(token.text) && !known.has(token) && isOld.test(token.text.slice(1, -1)))
      leave('path', token);
    // As in `(req as any).query = …`
    const isCast = token.text === '(' && REQUEST.test(tokens[at + 1]?.text ?? '') && !isDot(tokens[at + 2]);
    const end = isCast ? token.partner! : at;
    if (!isDot(tokens[end + 1]) || !(isCast || REQUEST.test(token.text))) continue;
    const member = tokens[end + 2];
    if (member?.text === 'query' && writes(code, end)) leave('query', token);
    if (token.text !== 'req' || member?.text !== 'host') continue;
    if (tokens[at + 3]?.text !== '=' && tokens[at + 3]?.text !== '(')
      code.replace(member.start, member.end, 'hostname');
  }
}

/** Whether `req.query`, or a member of it, is assigned or deleted. @param at the index of `req` */
function writes({ tokens }: Code, at: number): boolean {
  if (tokens[at - 1]?.text === 'delete') return true;
  const isAssigned =
    tokens[at - 1]?.text === '(' && tokens[at - 2]?.text === 'assign' && tokens[at - 4]?.text === 'Object';
  if (isAssigned && tokens[at + 3]?.text === ',') return true;
  let end = at + 3;
  while (isDot(tokens[end]) || tokens[end]?.text === '[')
    end = isDot(tokens[end]) ? end + 2 : tokens[end]!.partner! + 1;
  return /^(?:[-+*/%&|^]|\?\?|\|\||&&)?=$/.test(tokens[end]?.text ?? '');
}

function* applicationsIn({ tokens, modules }: Code): Generator<Rewritten['applications'][number]> {
  for (const [at, token] of tokens.entries()) {
    if (!modules.has(token.text) || tokens[at + 1]?.text !== '(' || tokens[at + 2]?.text !== ')') continue;
    if (tokens[at - 1]?.text !== '=' && tokens[at - 1]?.text !== 'return') continue;
    const after = tokens[at + 3];
    const isWhole = tokens[at - 2]?.kind === 'name' && /^(?:const|let|var)$/.test(tokens[at - 3]?.text ?? '');
    const end =
      after?.text === ';'
        ? after.end
        : after === undefined || after.isFirst
          ? tokens[at + 2]!.end
          : undefined;
    yield { name: tokens[at - 2]?.text ?? '', after: isWhole && !isDot(after) ? end : undefined };
  }
}
