/**
 * Compares how requests behave with our functions and with Node's own: the same programs run on both, turn by turn of
 * `process.nextTick`, with listeners that are added in every turn. All that can be seen must be the same.
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { NodesEnd, RuntimeRequest } from './request-state';

/** Reads a body whole, as our body parsers do, and reports its bytes. */
export type ReadBody = (req: IncomingMessage, done: (bytes: string) => void) => void;

type Note = (what: unknown) => unknown;

/** What is done to a request in each turn. */
interface Program {
  /** What comes from the connection at first. */
  begin: (req: SampleRequest, read: ReadBody, note: Note) => void;
  /** The turn in which somebody adds listeners; -1 for never. */
  listensIn: number;
  /** For which events, or how else the request is read. */
  listens: (req: SampleRequest, note: Note) => void;
}

type SampleRequest = IncomingMessage & RuntimeRequest & { _dump(): void };

/** More turns than any end takes. */
const TURNS = 10;

const EVENTS = ['end', 'close', 'error', 'aborted'];

function listenToAll(req: SampleRequest, note: Note): void {
  for (const event of EVENTS) req.on(event, () => note(event));
}

function readAsData(req: SampleRequest, note: Note): void {
  listenToAll(req, note);
  req.on('data', chunk => note(String(chunk)));
}

function readWhenReadable(req: SampleRequest, note: Note): void {
  listenToAll(req, note);
  req.on('readable', () => note(['readable', String(req.read())]));
}

function destroyUnheard(req: SampleRequest): void {
  req.destroy();
}

function destroyAndListen(req: SampleRequest, note: Note): void {
  req.destroy();
  listenToAll(req, note);
}

/** A request without a body that is complete; its response has been sent. */
function unread(req: SampleRequest): void {
  arrive(req);
  req._dump();
}

/** The same, while its response is not sent. */
function complete(req: SampleRequest): void {
  arrive(req);
}

/** As Node's parser does. */
function arrive(req: SampleRequest, ...chunks: string[]): void {
  for (const chunk of chunks) req.push(Buffer.from(chunk));
  req.complete = true;
  req.push(null);
}

function withBody(req: SampleRequest, read: ReadBody, note: Note): void {
  read(req, note);
  arrive(req, 'one, ', 'two');
}

function cutOff(req: SampleRequest, read: ReadBody, note: Note): void {
  read(req, note);
  req.push(Buffer.from('one'));
  (req as IncomingMessage).destroy(new Error('cut off'));
}

/** What is tried each time the framework is loaded. */
const programs: Program[] = [
  { begin: unread, listensIn: -1, listens: listenToAll },
  { begin: unread, listensIn: 1, listens: readAsData },
  { begin: unread, listensIn: 3, listens: listenToAll },
  { begin: withBody, listensIn: -1, listens: listenToAll },
  { begin: withBody, listensIn: 0, listens: listenToAll },
  { begin: withBody, listensIn: 3, listens: listenToAll },
  { begin: cutOff, listensIn: 0, listens: listenToAll },
];

/** What is tried by tests: listeners of each kind, and `destroy`, in each turn. */
export function everyProgram(): Program[] {
  const all: Program[] = [{ begin: cutOff, listensIn: 0, listens: listenToAll }];
  for (let turn = -1; turn < 8; turn++) {
    for (const listens of [listenToAll, readAsData, readWhenReadable]) {
      all.push({ begin: unread, listensIn: turn, listens });
      all.push({ begin: complete, listensIn: turn, listens });
    }
    for (const listens of [destroyUnheard, destroyAndListen]) {
      all.push({ begin: unread, listensIn: turn, listens });
    }
    all.push({ begin: withBody, listensIn: turn, listens: listenToAll });
  }
  return all;
}

function sample(prototype: object): SampleRequest {
  const socket = new Socket();
  const req = new IncomingMessage(socket) as SampleRequest;
  Object.setPrototypeOf(req, prototype);
  (socket as { parser?: object }).parser = { incoming: req };
  return req;
}

/** What can be seen of a request. */
function look(req: SampleRequest): unknown {
  const { complete, destroyed, closed, readable, readableEnded, readableFlowing } = req;
  return [complete, destroyed, closed, readable, readableEnded, readableFlowing];
}

/** Runs a program, and ends with all that was seen. */
function run(program: Program, prototype: object, read: ReadBody, done: (transcript: string) => void): void {
  const req = sample(prototype);
  const seen: unknown[] = [];
  const note: Note = what => seen.push(what);
  program.begin(req, read, note);
  const turn = (number: number): void => {
    if (number === program.listensIn) program.listens(req, note);
    seen.push(look(req));
    if (number < TURNS) process.nextTick(turn, number + 1);
    else done(JSON.stringify(seen));
  };
  turn(0);
}

/** Finds out in which turns Node ends a request that is not read. */
export function observeEnd(done: (end: NodesEnd) => void): void {
  const req = sample(IncomingMessage.prototype);
  const turns = { now: 0, end: 0, closed: 0, close: 0 };
  arrive(req);
  const isAnnounced = req._readableState.emittedReadable;
  req._dump();
  const flowing = req.readableFlowing;
  req.on('end', () => (turns.end = turns.now));
  req.on('close', () => (turns.close = turns.now));
  const turn = (): void => {
    if (req.closed) turns.closed ||= turns.now;
    if (++turns.now <= TURNS) process.nextTick(turn);
    else
      done({
        ticksToEnd: turns.end,
        ticksToClosed: turns.closed - turns.end,
        ticksToClose: turns.close - turns.closed,
        flowing,
        isAnnounced,
      });
  };
  turn();
}

/**
 * Finds out whether requests with a prototype of ours behave as Node's own.
 * @param prototype of requests with our functions; it inherits from that of Node's
 * @param read how such a request is read whole
 * @param readAsStream how one of Node's is
 * @param tried the programs, few by default
 */
export function behavesAsNode(
  prototype: object,
  read: ReadBody,
  readAsStream: ReadBody,
  done: (isSame: boolean) => void,
  tried = programs,
): void {
  let isSame = true;
  let left = tried.length;
  for (const program of tried) {
    const transcripts: string[] = [];
    const compare = (transcript: string): void => {
      if (transcripts.push(transcript) < 2) return;
      if (transcripts[0] !== transcripts[1]) isSame = false;
      if (--left === 0) done(isSame);
    };
    run(program, prototype, read, compare);
    run(program, IncomingMessage.prototype, readAsStream, compare);
  }
}
