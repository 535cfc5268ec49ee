/** Generates programs from seeds. */
import { Random, words } from '../../../packages/engine/test/support/random.js';
import { actions } from './generate-client.js';
import { afterwards, prepare, resetCallbacks, respond, setStatus } from './generate-response.js';
import type { Mood } from './generate-response.js';
import { how, member } from './generate-values.js';
import type { Beneath, Program, Step, Value, Wrapper } from './program.js';

/** The main subject of a program. */
const SUBJECTS = [
  ...['status', 'headers', 'wrappers', 'beneath', 'aborts', 'listeners', 'bodies', 'plain'],
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Patches made before a framework is loaded. There are only a few sets, because each needs its own process. */
const PRELOADS: Wrapper[][] = [
  [{ target: 'runtime', of: 'res', member: 'end', how: 'pass' }],
  [
    { target: 'runtime', of: 'res', member: 'writeHead', how: 'pass' },
    { target: 'runtime', of: 'res', member: 'write', how: 'nothing' },
  ],
  [
    { target: 'runtime', of: 'req', member: 'emit', how: 'pass' },
    { target: 'runtime', of: 'res', member: 'emit', how: 'pass' },
  ],
];

/** The probability of this subject in a program, which is higher if the program is about it. */
function share(subject: Subject, about: Subject): number {
  return subject === about ? 0.9 : 0.12;
}

export function makeProgram(seed: number): Program {
  const random = new Random(seed);
  resetCallbacks();
  const about = random.pick(SUBJECTS);
  const mood: Mood = {
    oddStatus: about === 'status' ? 0.7 : 0.1,
    oddHeader: share('headers', about),
    big: about === 'aborts' ? 0.08 : 0.001,
  };
  const has = (subject: Subject): boolean => random.chance(share(subject, about));
  const handlers = random.many(1, 2, () => handler(random, mood, has));
  const isMixed = random.chance(0.15);
  return withoutRaces({
    preload: random.chance(0.08) ? random.pick(PRELOADS) : [],
    server: isMixed
      ? 'mixed'
      : random.chance(0.05)
        ? 'inject'
        : random.pick(['listen', 'createServer', 'createServer', 'listener', 'emit'] as const),
    options: serverOptions(random),
    also: random.chance(0.12) ? [random.pick(['upgrade', 'checkContinue', 'clientError'] as const)] : [],
    first: random.chance(0.08) ? [random.chance(0.5) ? listener(random) : instanceWrapper(random)] : [],
    poweredBy: random.chance(0.1),
    place: random.chance(0.7) ? 'application' : random.pick(['router', 'sub-application'] as const),
    parsers: has('bodies')
      ? random.many(1, 2, () => random.pick(['json', 'raw', 'text', 'urlencoded'] as const))
      : [],
    beneath: has('beneath') ? random.many(1, 2, () => beneath(random)) : [],
    wrappers: has('wrappers')
      ? random.many(1, 2, () => wrapper(random, ['application', 'framework', 'runtime']))
      : [],
    handlers,
    connections: random.many(1, random.chance(0.3) ? 2 : 1, () =>
      actions(random, handlers.length, isMixed, has),
    ),
  });
}

/** Files are read by other threads: steps that would race with them are delayed until everything is idle. */
function withoutRaces(made: Program): Program {
  const program = withoutDrain(withEqualHeaders(made));
  if (!usesFiles(program.handlers)) return program;
  for (const action of program.connections.flat()) action.send?.splice(1);
  const stops = program.connections.flat().some(({ stop }) => stop);
  return {
    ...program,
    handlers: program.handlers.map(steps => aroundFiles(steps, stops)),
    connections: program.connections.map(actions => actions.filter(({ watch }) => !watch)),
  };
}

/**
 * Omits X-Powered-By if a big body is cut off or a buffer is small, because the length of the framework's name would
 * show.
 */
function withEqualHeaders(program: Program): Program {
  const isBig = /\d{6}/.test(JSON.stringify(program.handlers));
  return { ...program, poweredBy: program.poweredBy && !isBig && !program.options.highWaterMark };
}

/** How often a big body waits for the client depends on timing. */
function withoutDrain(program: Program): Program {
  const text = JSON.stringify(program.handlers);
  if (!/\d{7}/.test(text)) return program;
  return { ...program, handlers: JSON.parse(text.replaceAll('"res.drain"', '"res.pipe"')) as Step[][] };
}

function usesFiles(steps: unknown): boolean {
  return /"res\.(?:sendFile|download)"/.test(JSON.stringify(steps));
}

/**
 * Returns the same steps without another response before a file. Steps after a file or event wait for it.
 * @param stops whether the client disconnects: a file is then sent before that
 */
function aroundFiles(steps: Step[], stops: boolean): Step[] {
  const made = steps.flatMap((step): Step[] => {
    if (step.pipe !== undefined) return [];
    const isFile = usesFiles(step);
    if (step.steps === undefined || step.steps.length === 0) return [step];
    const inner = aroundFiles(step.steps, stops);
    if (step.later === undefined) return [{ ...step, steps: [{ later: 'rest', steps: inner }] }];
    if (step.later === 'rest' || step.later === 'immediate')
      return [{ later: isFile && stops ? 'microtask' : 'rest', steps: inner }];
    return [{ ...step, steps: inner }];
  });
  const file = made.findIndex(usesFiles);
  if (file < 0) return made;
  const after = made.slice(file + 1);
  return [
    ...made.slice(0, file + 1),
    ...(after.length > 0 ? [{ later: 'rest', steps: after } as const] : []),
  ];
}

function serverOptions(random: Random): Record<string, Value> {
  const options: Record<string, Value> = {};
  if (random.chance(0.03)) options.keepAliveTimeout = random.pick([0, 30_000]);
  if (random.chance(0.03)) options.maxRequestsPerSocket = random.pick([1, 2]);
  if (random.chance(0.03)) options.highWaterMark = 100;
  if (random.chance(0.03)) options.rejectNonStandardBodyWrites = true;
  if (random.chance(0.02)) options.keepAlive = true;
  return options;
}

const BENEATH_MEMBERS: Record<Beneath['of'], string[]> = {
  res: words(`end write setHeader removeHeader writeHead _storeHeader assignSocket detachSocket
    emit flushHeaders destroy`),
  req: ['push', 'emit', 'resume', 'pause', 'destroy', '_dump', '_destroy', 'read'],
};

function beneath(random: Random): Beneath {
  const of = random.chance(0.75) ? 'res' : 'req';
  const members = [...new Set(random.many(1, 3, () => random.pick(BENEATH_MEMBERS[of])))];
  const made: Beneath = { where: random.pick(['server', 'framework', 'application'] as const), of, members };
  if (members.every(name => /^(?:end|write|setHeader|writeHead)$/.test(name)) && random.chance(0.2))
    made.nothing = true;
  return made;
}

function wrapper(random: Random, targets: Wrapper['target'][]): Wrapper {
  const target = random.pick(targets);
  const of = target === 'instance' && random.chance(0.15) ? 'socket' : random.chance(0.8) ? 'res' : 'req';
  const name = member(random, of);
  return { target, of, member: name, how: how(random, of, name) };
}

function instanceWrapper(random: Random): Step {
  const wrap: Wrapper = random.chance(0.12)
    ? { target: 'instance', of: 'res', member: 'end', how: 'collect' }
    : wrapper(random, ['instance']);
  return { wrap };
}

/** Returns a step in which a handler patches a prototype during in-flight requests. */
function lateWrapper(random: Random): Step {
  const wrap = wrapper(random, ['application', 'framework', 'runtime']);
  return random.chance(0.5) ? { wrap } : { later: later(random), steps: [{ wrap }] };
}

const EVENTS = words(`res.finish res.finish res.close res.close res.error res.prefinish res.drain res.pipe
  res.unpipe req.end req.end req.close req.close req.error req.aborted req.data req.pause req.resume
  req.readable`);

function listener(random: Random, depth = 0): Step {
  const step: Step = { on: random.pick(EVENTS), how: random.pick(['on', 'on', 'once', 'prepend'] as const) };
  if (depth < 2 && random.chance(0.3)) step.steps = [inListener(random, depth + 1)];
  return step;
}

function inListener(random: Random, depth: number): Step {
  return random.weighted<Step>([
    [4, () => listener(random, depth)],
    [2, () => ({ later: later(random), steps: [listener(random, depth)] })],
    [1, () => ({ later: later(random), steps: [{ state: 'later' }] })],
    [2, () => afterwards(random)],
  ]);
}

function later(random: Random): NonNullable<Step['later']> {
  return random.pick(['nextTick', 'microtask', 'immediate', 'rest', 'rest'] as const);
}

/** Returns what a handler does with the request body. */
function consume(random: Random): Step {
  return random.pick<Step>([
    { call: 'req.resume' },
    { call: 'req.pause' },
    { on: 'req.data' },
    { on: 'req.end', steps: [{ state: 'read' }] },
    { on: 'req.readable', steps: [{ call: 'req.read' }] },
    { call: 'req.setEncoding', args: ['utf8'] },
    { call: 'req.read' },
    { put: 'req.body', value: null },
    { pipe: 'request' },
  ]);
}

function handler(random: Random, mood: Mood, has: (subject: Subject) => boolean): Step[] {
  const before: Step[] = [];
  if (has('listeners') || random.chance(0.4)) before.push(...random.many(1, 3, () => listener(random)));
  if (has('wrappers')) before.push(...random.many(1, 2, () => instanceWrapper(random)));
  if (has('wrappers') && random.chance(0.3)) before.push(lateWrapper(random));
  if (random.chance(Math.max(mood.oddStatus, 0.2))) before.push(setStatus(random, mood));
  if (random.chance(mood.oddHeader)) before.push(...random.many(1, 3, () => prepare(random)));
  if (has('bodies') || random.chance(0.1)) before.push(...random.many(1, 2, () => consume(random)));
  if (has('aborts')) before.push({ signal: true });
  const response = respond(random, mood);
  if (random.chance(0.2)) response.push(...random.many(1, 2, () => afterwards(random)));
  if (has('listeners')) response.push(lateListener(random));
  if (has('aborts')) response.splice(random.between(0, response.length), 0, { signal: true });
  return [...before, ...postponed(random, response, has('aborts'))];
}

function lateListener(random: Random): Step {
  const step = listener(random);
  return random.chance(0.7) ? { later: later(random), steps: [step] } : step;
}

/** Returns steps that send the response immediately, in a later turn, or in parts. */
function postponed(random: Random, steps: Step[], waits: boolean): Step[] {
  const at = (turn: NonNullable<Step['later']>, some: Step[]): Step => ({ later: turn, steps: some });
  if (waits && random.chance(0.5)) return [at('rest', [at('rest', steps)])];
  if (random.chance(0.55)) return steps;
  if (steps.length > 1 && random.chance(0.5)) {
    const split = random.between(1, steps.length - 1);
    return [...steps.slice(0, split), at(later(random), steps.slice(split))];
  }
  return [at(later(random), steps)];
}
