/** Runs one case on both frameworks and reports where they differ. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { POLICY, withRedirectPolicy } from '../../packages/engine/test/support/redirect-policy.js';
import type { Ask, Case, Step } from './description.js';
import { build, SEEN } from './interpreter.js';
import type { Side } from './interpreter.js';
import { PATIENCE, Wire } from './wire.js';
import type { WireAnswer } from './wire.js';

export interface Difference {
  /** 'build', 'trace', 'status', 'headers' or 'body'. */
  what: string;
  request?: Ask;
  ours: unknown;
  theirs: unknown;
}

type Listener = (req: http.IncomingMessage, res: http.ServerResponse) => void;

/** One framework, with a server that serves the application being compared. */
class Bench {
  readonly side: Side;
  private readonly server: http.Server;
  /** The connection to the server that handles all cases, and the current one. */
  private wire: Wire | undefined;
  private current: Wire | undefined;
  private app: Listener = () => undefined;

  constructor(
    web: Web,
    root: string,
    { late = /file|download/i, seen = SEEN }: CompareOptions,
    private readonly patience: number,
    /** Runs what belongs to the framework. */
    private readonly around: <T>(run: () => T) => T | Promise<Awaited<T>>,
  ) {
    this.side = { web, root, late, seen, trace: [], traces: new WeakMap() };
    this.server = this.watch(http.createServer((req, res) => this.app(req, res)));
  }

  async start(): Promise<void> {
    this.wire = new Wire(await listen(this.server), this.patience);
  }

  stop(): void {
    this.wire?.close();
    this.server.close();
  }

  /** Adds errors of responses, such as a write after the end, to the trace. */
  private watch(server: http.Server): http.Server {
    return server.prependListener('request', (_req: unknown, res: http.ServerResponse) => {
      const { trace, traces } = this.side;
      traces.set(res, trace);
      res.on('error', error => trace.push(`error event ${error.message}`));
    });
  }

  /** Stops waiting for a request that will get no response. */
  hangUp(): void {
    this.current?.close();
  }

  /** Builds the application; returns what was recorded, or the error thrown. */
  async build(description: Case): Promise<string> {
    this.side.trace = [];
    try {
      this.app = (await this.around(() => build(description, this.side) as Listener)) as Listener;
      return this.side.trace.join('\n');
    } catch (error) {
      // JavaScript engines word the message of an invalid regular expression differently, so only the class is
      // compared.
      const { name, message } = error as Error;
      return error instanceof SyntaxError ? name : `${name}: ${message}`;
    }
  }

  /** Sends the requests one after another and records the response and the trace of each. */
  async run(description: Case): Promise<Result[]> {
    return this.around(() => this.send(description));
  }

  private async send({ requests, ownServer, layers }: Case): Promise<Result[]> {
    const closesLate = goesOnAfterAnswer(layers);
    const own = ownServer ? this.watch(http.createServer(this.app)) : undefined;
    const wire = own ? new Wire(await listen(own), this.patience) : this.wire!;
    this.current = wire;
    const results = [];
    for (const ask of requests) {
      const trace: string[] = (this.side.trace = []);
      const answer = await wire.ask(ask);
      results.push({ answer, trace });
      if (closesLate) wire.close();
    }
    if (own) {
      wire.close();
      own.close();
    }
    return results;
  }
}

/** Whether the error about an Express 5 path is that of path-to-regexp, followed by advice on what to write instead. */
function isAdvised({ ours, theirs }: { ours: string; theirs: string }): boolean {
  return /^TypeError: .*pathToRegexpError/.test(theirs) && ours.startsWith(`${theirs}. `);
}

/** Whether some handler responds and then fails: the connection may be closed while the next request is being sent. */
function goesOnAfterAnswer(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const parts = Object.values(value) as unknown[];
  if (Array.isArray(value)) {
    const steps = value as Partial<Step>[];
    const answered = steps.findIndex(step => /^(send|json|jsonp|write)$/.test(step?.res ?? ''));
    if (answered >= 0 && steps.slice(answered).some(step => step.next ?? step.throw !== undefined))
      return true;
  }
  return parts.some(goesOnAfterAnswer);
}

function listen(server: http.Server): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** How cases are compared. */
export interface CompareOptions {
  /** The response members whose callbacks run where their exceptions are not caught. */
  late?: RegExp | undefined;
  /**
   * Run one framework after the other, with more time, until nothing more happens, so that an uncaught exception
   * belongs to the framework that is running.
   */
  isAlone?: boolean;
  /** Runs the oracle, alone: Express 3 changes Node's prototypes. */
  around?: (<T>(run: () => T) => Promise<Awaited<T>>) | undefined;
  /** Removes what differs by design from the results of both. */
  normalize?: ((result: Result) => Result) | undefined;
  /** The members of a request that each handler records. */
  seen?: readonly string[] | undefined;
}

/** How many times longer a case may take on a busy machine. */
const ALONE = 4;
/** A framework is idle after this many milliseconds and turns of the event loop without an event. */
const CALM = 100;

async function calm(): Promise<void> {
  await setTimeout(CALM);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

export class Comparison {
  private readonly ours: Bench;
  private readonly theirs: Bench;
  private readonly isAlone: boolean;
  private readonly around: CompareOptions['around'];
  private readonly normalize: (result: Result) => Result;
  /** The uncaught exception as text. */
  private crash: string | undefined;
  /** Whether the oracle threw an uncaught exception, which does not have to be matched. */
  hasOracleCrashed = false;
  /**
   * The requests to which neither framework responded, for example because a handler writes a part and then calls
   * next().
   */
  unanswered = 0;

  constructor(ours: Web, theirs: Web, root: string, options: CompareOptions) {
    const { isAlone = false, around, normalize = result => result } = options;
    const patience = isAlone ? ALONE * PATIENCE : PATIENCE;
    this.ours = new Bench(ours, root, options, patience, run => run());
    this.theirs = new Bench(theirs, root, options, patience, around ?? (run => run()));
    this.isAlone = isAlone;
    this.around = around;
    this.normalize = normalize;
  }

  async start(): Promise<void> {
    await Promise.all([this.ours.start(), this.theirs.start()]);
  }

  stop(): void {
    this.ours.stop();
    this.theirs.stop();
  }

  /** Records an uncaught exception. The pending responses will not arrive. */
  crashed(error: unknown): void {
    this.crash = error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`;
    this.ours.hangUp();
    this.theirs.hangUp();
  }

  /** Returns the first difference between the two frameworks in this case. */
  async difference(description: Case): Promise<Difference | undefined> {
    const built = { ours: await this.ours.build(description), theirs: await this.theirs.build(description) };
    if (built.ours !== built.theirs && !isAdvised(built)) return { what: 'build', ...built };
    if (/^\w*Error\b/.test(built.ours)) return undefined;
    const theirs = this.run(this.theirs, description);
    if (this.around) await theirs;
    if (this.isAlone) this.hasOracleCrashed = (await theirs).crash !== undefined;
    if (this.hasOracleCrashed) return undefined;
    const ours = await this.run(this.ours, description);
    if (ours.crash !== undefined) return { what: 'crash', ours: ours.crash, theirs: '' };
    return this.firstDifference(description, ours.results, (await theirs).results);
  }

  /** Returns whether the last case throws after its end. */
  async throwsLate(): Promise<boolean> {
    this.crash = undefined;
    await calm();
    return this.crash !== undefined;
  }

  private async run(bench: Bench, description: Case): Promise<{ results: Result[]; crash?: string }> {
    if (this.isAlone) await calm();
    this.crash = undefined;
    const results = await bench.run(description);
    if (this.isAlone) await calm();
    return { results, ...(this.crash !== undefined && { crash: this.crash }) };
  }

  private firstDifference(
    { requests }: Case,
    ours: readonly Result[],
    theirs: readonly Result[],
  ): Difference | undefined {
    for (const [index, request] of requests.entries()) {
      const { normalize } = this;
      const found = firstDifference(
        comparable(normalize(ours[index]!)),
        comparable(normalize(expected(theirs[index]!))),
      );
      if (found) return { ...found, request };
      if (ours[index]!.answer.state === 'timeout') this.unanswered++;
    }
    return undefined;
  }
}

interface Comparable {
  status: string;
  trace: string;
  headers: string;
  body: string;
}

function firstDifference(ours: Comparable, theirs: Comparable): Difference | undefined {
  for (const what of ['status', 'trace', 'headers', 'body'] as const) {
    if (ours[what] !== theirs[what]) return { what, ours, theirs };
  }
  return undefined;
}

export interface Result {
  answer: WireAnswer;
  trace: string[];
}

/** Returns the expected result: the oracle's, with the header that only our redirects have. */
function expected({ answer, trace }: Result): Result {
  const fields = withRedirectPolicy({ ...answer, status: Number(answer.status.split(' ')[1]) });
  return { answer: { ...answer, fields }, trace };
}

/** The parts that must be equal: everything but the framework's name, the time, and error stacks. */
function comparable({ answer, trace }: Result): Comparable {
  const stack = answer.body.search(/<br> &nbsp; &nbsp;at |<br>Require stack:/);
  // A response to HEAD has the length of such a page without the page. The page of `res.redirect` has only the policy.
  const has = (...field: string[]) => answer.fields.some(one => one.join() === field.join());
  const page = has(...POLICY) && has('X-Content-Type-Options', 'nosniff');
  const cut = stack >= 0 || (page && answer.body === '');
  return {
    status: `${answer.state} ${answer.status}`,
    trace: trace.join('\n'),
    headers: answer.fields.map(([name, value]) => `${name}: ${comparableField(name, value, cut)}`).join('\n'),
    body: stack >= 0 ? answer.body.slice(0, stack) : answer.body,
  };
}

function comparableField(name: string, value: string, cut: boolean): string {
  if (name === 'X-Powered-By' && /^(Express|Ristretto)$/.test(value)) return '(name)';
  if (name === 'Date') return '(now)';
  if (name === 'Content-Length' && cut) return '(length of the stack)';
  // With Max-Age, Expires is relative to the current time.
  if (name === 'Set-Cookie' && value.includes('Max-Age='))
    return value.replace(/Expires=[^;]*/, 'Expires=(later)');
  return value;
}
