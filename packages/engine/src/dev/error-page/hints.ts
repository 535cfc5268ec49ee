/** Advice on common errors: sentences, with code in backticks. */
import path from 'node:path';
import { mistakeIn } from '../json-text';
import { parserFor } from '../parser-for';
import { isOneEditAway } from '../setting-names';
import { uploadProblem } from '../../protocol/errors';
import { lineAt } from './excerpt';
import { maskUrl, show } from './mask';
import { readProperty } from './read-error';
import type { ErrorFacts } from './read-error';

/** The input from which hints are derived. */
interface Circumstances {
  error: ErrorFacts;
  code: unknown;
  /** The line of the program where the error occurred; empty if it cannot be read. */
  line: string;
  req: unknown;
}

type Advice = (circumstances: Circumstances) => string | undefined;

/** Returns the hints for an error. @param req the request in which it occurred, if any */
export function hintsFor(error: ErrorFacts, req: unknown): string[] {
  const place = error.frames.find(({ origin }) => origin === undefined)?.place;
  const circumstances = { error, code: error.details.code, line: lineAt(place), req };
  return advices.map(advise => ask(advise, circumstances)).filter(hint => hint !== undefined);
}

/** Returns a hint, or undefined if there is none or reading fails: members of requests and errors may have any value. */
function ask(advise: Advice, circumstances: Circumstances): string | undefined {
  try {
    return advise(circumstances);
  } catch {
    return undefined;
  }
}

/** Messages of packages, and about members that Express 5 has removed, and what to do about each. */
const OF_PACKAGES: [message: RegExp, advice: string][] = [
  [
    /\bres\.sendfile is not a function/,
    'Express 5 has no `res.sendfile`: use `res.sendFile`, with an absolute path or the option `root`.',
  ],
  [
    /\breq\.param is not a function/,
    'Express 5 has no `req.param()`: read `req.params`, `req.body` or `req.query`.',
  ],
  [
    /\bsession\.(?:regenerate|save) is not a function/,
    'Sessions of `cookie-session` lack `regenerate()` and `save()`, which Passport calls since 0.6. Use `express-session`, or `cookieSession({ regenerate: true })` of `@ristretto/cookie-session`.',
  ],
  [
    /^secret option required for sessions/,
    'The session has no `secret`, with which cookies are signed. Pass it: `session({ secret: process.env.SESSION_SECRET })`.',
  ],
  [
    /^maxAge must be a number or Date/,
    "`cookie.maxAge` of a session is a number of milliseconds, and not text such as `'1 day'`: write `24 * 60 * 60 * 1000`.",
  ],
  [
    /^The first argument must be of type string or an instance of Buffer, ArrayBuffer/,
    'A WebSocket sends text or bytes: `socket.send(JSON.stringify(value))`.',
  ],
];

function advisePackage({ error, line }: Circumstances): string | undefined {
  const found = OF_PACKAGES.find(([message]) => message.test(error.message));
  return found?.[1].includes('WebSocket') === true && !line.includes('.send(') ? undefined : found?.[1];
}

const OF_NOTHING = /\b(?:of|as it is) (?:undefined|null)\b|^Cannot destructure property/;

function adviseParser({ error, line, req }: Circumstances): string | undefined {
  if (req === undefined || error.name !== 'TypeError' || !OF_NOTHING.test(error.message)) return undefined;
  if (!/\bbody\b/.test(`${error.message} ${line}`) || !isUnparsed(req)) return undefined;
  const type = readProperty(readProperty(req, 'headers'), 'content-type');
  if (typeof type !== 'string' || type === '') {
    return '`req.body` is not set: the request has no `Content-Type`, so no parser reads its body.';
  }
  return `\`req.body\` was not parsed: no parser has read a body of type \`${type.slice(0, 100)}\`. ${parserFor(type)}`;
}

/** Whether the body is unparsed: parsers set an empty object if the body is not of their type. */
function isUnparsed(req: unknown): boolean {
  const body = readProperty(req, 'body');
  if (body === undefined) return true;
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0;
  return isEmpty && readProperty(req, '_body') !== true;
}

/** Request members, and the middleware that sets them. */
const SET_BY: Record<string, string> = {
  session: 'express-session',
  cookies: 'cookie-parser',
  signedCookies: 'cookie-parser',
  file: 'multer',
  files: 'multer',
};

/** A member read from the request, possibly with a TypeScript cast in between. */
const MEMBER = /\breq(?:uest)?\b.{0,80}?\.(session|cookies|signedCookies|files?)\b/;

function adviseMember({ error, line, req }: Circumstances): string | undefined {
  if (error.name !== 'TypeError' || !OF_NOTHING.test(error.message)) return undefined;
  const name = MEMBER.exec(`${error.message} ${line}`)?.[1];
  if (name === undefined || readProperty(req, name) !== undefined) return undefined;
  return `\`req.${name}\` is not set. \`${SET_BY[name]!}\` sets it: \`app.use\` it before this route.`;
}

function adviseModule({ error, code }: Circumstances): string | undefined {
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  const name = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1];
  if (name === undefined) return undefined;
  if (/^(?:[./\\]|[a-z]:)/i.test(name)) {
    return `There is no file \`${name}\`. A path that begins with a dot is relative to the file that requires it.`;
  }
  const [scope, rest] = name.split('/');
  const installed = scope!.startsWith('@') && rest !== undefined ? `${scope!}/${rest}` : scope!;
  return `Install the package: \`npm install ${installed}\``;
}

function adviseView({ error }: Circumstances): string | undefined {
  if (error.message.startsWith('No default engine was specified')) {
    return "Set the extension of your views: `app.set('view engine', 'ejs')`, or include it in the name: `res.render('index.ejs')`.";
  }
  if (!error.message.startsWith('Failed to lookup view')) return undefined;
  const view = error.details.view;
  const [name, ext, root] = ['name', 'ext', 'root'].map(member => readProperty(view, member));
  if (typeof name !== 'string' || typeof ext !== 'string') return undefined;
  const file = name.endsWith(ext) ? name : name + ext;
  const folders = (Array.isArray(root) ? root : [root]).map(
    folder => `\`${path.join(String(folder), file)}\``,
  );
  return `There is no ${folders.join(' and no ')}. Set the directories with \`app.set('views', path.join(__dirname, 'views'))\`.`;
}

function adviseNew({ error }: Circumstances): string | undefined {
  const name = /^Class constructor (\w+) cannot be invoked without 'new'/.exec(error.message)?.[1];
  return name && `Write \`new ${name}(…)\`.`;
}

function adviseResponse({ code, error }: Circumstances): string | undefined {
  if (code !== 'ERR_HTTP_HEADERS_SENT') return undefined;
  if (error.message.includes('its hooks are still running'))
    return 'A response had already been sent. Return after you respond. A hook of `onSend` cannot respond: it returns the new body, or throws an error.';
  return 'A response had already been sent. Return after you respond: `return res.json(value);`';
}

const SERVICES: Record<string, string> = {
  3306: 'MySQL',
  5432: 'PostgreSQL',
  6379: 'Redis',
  9200: 'Elasticsearch',
  27017: 'MongoDB',
};

function adviseSystem({ error, code }: Circumstances): string | undefined {
  const { details, causes } = error;
  if (code === 'ECONNREFUSED') {
    const { address, port } = details.port === undefined ? (causes[0]?.error.details ?? {}) : details;
    const service = SERVICES[show(port)];
    const running = service === undefined ? 'Is the service running?' : `Is ${service} running?`;
    return port === undefined ? running : `Nothing listens on \`${show(address)}:${show(port)}\`. ${running}`;
  }
  if (code === 'EADDRINUSE') {
    return `Another process listens on port ${show(details.port)}. Stop it, or listen on another port.`;
  }
  const file = details.path;
  // An error with a status already produces the response that the hint recommends
  if (code !== 'ENOENT' || typeof file !== 'string' || error.status === 404) return undefined;
  if (path.isAbsolute(file)) {
    return `There is no \`${file}\`. If that can happen, catch the error and send a 404.`;
  }
  return `\`${file}\` is resolved against \`${process.cwd()}\`, where Node was started. Use \`path.join(__dirname, …)\`.`;
}

function adviseLimit({ error }: Circumstances): string | undefined {
  const { type, limit } = error.details;
  if (type !== 'entity.too.large') return undefined;
  return `The body is larger than the parser's limit of ${show(limit)} bytes. Set its option \`limit\`, as in \`{ limit: '1mb' }\`.`;
}

/** The hint does not go into the error's message, which clients get. */
function adviseJson({ error }: Circumstances): string | undefined {
  const { type, body } = error.details;
  if (type !== 'entity.parse.failed' || error.name !== 'SyntaxError' || typeof body !== 'string')
    return undefined;
  const mistake = mistakeIn(body);
  return mistake && `The body is not JSON: ${mistake}`;
}

/** Strings that `next` accepts as signals. */
const SIGNALS = ['route', 'router'];

function adviseValue({ error }: Circumstances): string | undefined {
  const { name, message, how } = error;
  if (name !== '') return undefined;
  const isText = !message.startsWith('{') && !message.startsWith('[');
  const value = isText ? `'${message}'` : message;
  const signal = SIGNALS.find(one => isOneEditAway(message, one));
  if (how === 'passed to next()' && signal !== undefined) {
    return `\`next(${value})\` passes an error on, because only 'route' and 'router' are signals. Did you mean \`'${signal}'\`?`;
  }
  const remedy = isText ? `new Error(${value})` : `Object.assign(new Error('…'), ${message})`;
  const write = {
    thrown: `throw ${remedy}`,
    rejected: `throw ${remedy}`,
    'passed to next()': `next(${remedy})`,
  };
  const was = how === undefined ? '' : how === 'rejected' ? ' rejected a promise, and' : ` was ${how}, and`;
  return `\`${value}\`${was} is not an Error: it has no stack and no status. Write \`${how === undefined ? remedy : write[how]}\`.`;
}

function adviseRejection({ error }: Circumstances): string | undefined {
  if (error.how !== 'rejected' || !/^Rejected promise$|was rejected without a reason/.test(error.message))
    return undefined;
  return 'The promise was rejected with `undefined` or another empty value: reject with an Error, which has a stack.';
}

function adviseHeader({ error, code }: Circumstances): string | undefined {
  if (code !== 'ERR_INVALID_CHAR') return undefined;
  const name = /\["([^"]+)"\]/.exec(error.message)?.[1] ?? '…';
  return `A header cannot contain a line break or a character above U+00FF. Encode the value: \`res.set('${name}', encodeURIComponent(value))\`.`;
}

function adviseCookieSecret({ error }: Circumstances): string | undefined {
  if (!error.message.startsWith('cookieParser("secret") required')) return undefined;
  return '`req.secret` is not set. Register `app.use(cookieParser(secret))` of `cookie-parser` before this route, or leave out `signed`.';
}

/** The errors of multer have no status, so clients would get a 500 for their own mistakes unless `error format` is `'problem'`. */
function adviseUpload({ error, code }: Circumstances): string | undefined {
  if (error.message === 'Multipart: Boundary not found') {
    return 'The Content-Type of the request has no `boundary`. Clients add it themselves: send a `FormData` with `fetch`, and do not set the header.';
  }
  if (error.name !== 'MulterError') return undefined;
  const { field } = error.details;
  const advice: string[] = [];
  if (code === 'LIMIT_UNEXPECTED_FILE')
    advice.push(
      `The form has a file in the field \`${show(field)}\`, for which multer was not set up: compare it with the name in \`single('…')\`, \`array('…')\` or \`fields([…])\`.`,
    );
  if (error.status === undefined)
    advice.push(
      `A client caused this error, but it has no status. In an error handler: \`if (err.name === 'MulterError') res.status(${uploadProblem({ name: error.name, code })!.status}).send(err.message)\`, or \`app.set('error format', 'problem')\`.`,
    );
  return advice.join(' ') || undefined;
}

function adviseStream({ error }: Circumstances): string | undefined {
  if (error.details.type !== 'stream.not.readable') return undefined;
  return 'The body was already read by a handler before this parser. Register the parser first, and only once.';
}

function adviseFile({ error }: Circumstances): string | undefined {
  if (!error.message.startsWith('path must be absolute')) return undefined;
  return 'Write `res.sendFile(path.join(__dirname, name))`, or pass the directory: `res.sendFile(name, { root: __dirname })`.';
}

function adviseLate({ error, code, req }: Circumstances): string | undefined {
  if (code === 'ERR_HTTP_HEADERS_SENT' || error.isLate !== true) return undefined;
  const target = `${String(readProperty(req, 'method'))} ${String(readProperty(req, 'originalUrl'))}`;
  return `The response to \`${maskUrl(target)}\` had already been sent, so the client does not learn of this error. Await everything that can fail before you respond.`;
}

const advices: Advice[] = [
  adviseValue,
  adviseRejection,
  adviseParser,
  adviseMember,
  adviseNew,
  advisePackage,
  adviseModule,
  adviseView,
  adviseFile,
  adviseHeader,
  adviseCookieSecret,
  adviseUpload,
  adviseStream,
  adviseResponse,
  adviseSystem,
  adviseLimit,
  adviseJson,
  adviseLate,
];
