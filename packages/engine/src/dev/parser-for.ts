/** Names the body parser that a program lacks. */
import path from 'node:path';
import { versionRoots } from '../report/development';

/** The parser to add, by the start of a request's Content-Type. */
const PARSERS: [type: RegExp, advice: string][] = [
  [/^application\/(?:json|[^;]*\+json)/i, 'Add `app.use($.json())` before the routes.'],
  [
    /^application\/x-www-form-urlencoded/i,
    'Add `app.use($.urlencoded({ extended: true }))` before the routes.',
  ],
  [/^multipart\/form-data/i, 'Add an upload parser such as `multer` to the route.'],
  [
    /^text\//i,
    'Add `app.use($.text())` before the routes, with the option `type` if the type is not text/plain.',
  ],
  [/./, 'Add `app.use($.raw({ type }))` with this type before the routes.'],
];

/** A parameter without a value, as in `application/json; charset=`. */
const VALUELESS = /^[^\s=]*=?$/;

/** Returns the advice for a body of a type. @param type the Content-Type of the request, if it has one */
export function parserFor(type: unknown): string {
  const name = typeof type === 'string' && type !== '' ? type : 'text/plain';
  const [, ...parameters] = name.split(';');
  if (parameters.some(parameter => VALUELESS.test(parameter.trim())))
    return 'Parsers ignore this Content-Type, because it is malformed: the client has to correct it.';
  return PARSERS.find(([pattern]) => pattern.test(name))![1].replace('$', frameworkName());
}

/** The variable name that most programs use for the framework. */
function frameworkName(): string {
  return versionRoots.some(root => path.basename(root) === 'express') ? 'express' : 'web';
}
