/** Prints a program as text that reads like the code it represents. */
import { requestBytes } from '../wire.js';
import { brief } from './record.js';
import type { Action, Program, Step, Value, Wrapper } from './program.js';

export function print(program: Program): string {
  const {
    preload,
    server,
    options,
    also,
    first,
    poweredBy,
    place,
    parsers,
    beneath,
    wrappers,
    handlers,
    connections,
  } = program;
  return [
    ...(preload ?? []).map(one => `before the framework is loaded: ${wrapperText(one)}`),
    ...(beneath ?? []).map(
      ({ where, of, members, nothing }) =>
        `class beneath ${where} ${of} with ${members.join(', ')}${nothing ? ' that return nothing' : ''}`,
    ),
    ...(wrappers ?? []).map(wrapperText),
    `server: ${server} ${Object.keys(options ?? {}).length > 0 ? JSON.stringify(options) : ''}, handlers in ${place}`,
    ...((also ?? []).length > 0 ? [`server listens to ${also.join(', ')}`] : []),
    ...((first ?? []).length > 0 ? ['listener before the application', ...stepsText(first, '  ')] : []),
    ...(poweredBy ? [] : [`app.disable('x-powered-by')`]),
    ...(parsers ?? []).map(parser => `app.use(express.${parser}())`),
    ...handlers.flatMap((steps, index) => [`handler /${index}`, ...stepsText(steps, '  ')]),
    ...connections.flatMap((actions, index) => [
      `connection ${index + 1}`,
      ...actions.map(action => `  ${actionText(action)}`),
    ]),
  ].join('\n');
}

function wrapperText({ target, of, member, how }: Wrapper): string {
  const owner = { instance: of, application: `app.${of}`, framework: `express.${of}`, runtime: `http ${of}` }[
    target
  ];
  return `${owner}.${member} = wrapper (${how})`;
}

function valueText(value: Value): string {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? brief(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (value.$ === undefined) return JSON.stringify(value);
  return value.text === undefined ? String(value.$) : `${String(value.$)}(${String(value.text)})`;
}

function stepsText(steps: Step[], indent: string): string[] {
  return steps.flatMap(step => [`${indent}${stepText(step)}`, ...stepsText(step.steps ?? [], `${indent}  `)]);
}

function stepText(step: Step): string {
  if (step.call !== undefined) return `${step.call}(${(step.args ?? []).map(valueText).join(', ')})`;
  if (step.put !== undefined) return `${step.put} = ${valueText(step.value ?? null)}`;
  if (step.on !== undefined) return `${step.on.replace('.', `.${step.how ?? 'on'} `)}: record`;
  if (step.later !== undefined) return `${step.later}:`;
  if (step.wrap !== undefined) return wrapperText(step.wrap);
  if (step.pipe !== undefined)
    return step.pipe === 'request' ? 'req.pipe(res)' : `stream of ${step.pipe} bytes .pipe(res)`;
  if (step.state !== undefined) return `record the state: ${step.state}`;
  if (step.next !== undefined) return step.next === 'error' ? 'next(error)' : 'next()';
  if (step.throw !== undefined) return `throw ${step.throw}`;
  return 'signal to the client';
}

function actionText(action: Action): string {
  if (action.send) {
    const bytes = Buffer.concat(action.send.map(requestBytes)).toString('latin1');
    const shown = JSON.stringify(bytes.replace(/(?:abcdefghij){4,}/g, run => `(${run.length} bytes)`));
    return `send ${shown}${action.hold ? ` but for the last ${action.hold} bytes` : ''}`;
  }
  if (action.rest) return 'send the rest';
  if (action.read) return `${action.read} reading`;
  if (action.watch) return `${action.by ?? 'destroy'} as soon as the client gets ${action.watch}`;
  return String(action.stop);
}
