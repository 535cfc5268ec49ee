/** Warns about requests that are stuck, and about values that handlers returned instead of responding. */
import { setInterval, clearInterval } from 'node:timers';
import { readDuration } from '../amount';
import { at, atStack } from './watched';
import type { Call, Watched } from './watched';

/**
 * Milliseconds between two checks of the requests. Time is counted in checks, because a debugger may pause the program.
 */
const PERIOD = 500;
/** Milliseconds without a response before the warning; the default of the setting `stuck warning`. */
const STUCK_AFTER = 10_000;
/** Ticks after which a handler that has returned a value is not expected to respond any more. */
const GRACE = 2;

const pending = new Set<Watched>();
let tick = 0;
let timer: NodeJS.Timeout | undefined;

/** Records that a request has reached a handler. */
export function enter(watched: Watched, call: Call): void {
  watched.call = call;
  watched.hasPassedOn = false;
  watched.since = tick;
  if (pending.has(watched) || isOver(watched)) return;
  pending.add(watched);
  timer ??= setInterval(look, PERIOD).unref();
}

/** Records that a handler returned a value that may have been meant as the response. */
export function noteReturned(watched: Watched, call: Call, text: string): void {
  watched.returned = { call, text, tick };
}

/** Records that a response has begun. */
export function noteSent(watched: Watched): void {
  pending.delete(watched);
}

function isOver({ req, res }: Watched): boolean {
  return (
    res.headersSent || res.writableEnded || res.destroyed || req.aborted === true || req.upgrade === true
  );
}

function look(): void {
  tick++;
  for (const watched of pending) {
    if (isOver(watched) || warns(watched)) pending.delete(watched);
  }
  if (pending.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Warns of the request if necessary, and returns whether it did. */
function warns(watched: Watched): boolean {
  const { call, returned, hasPassedOn } = watched;
  if (returned !== undefined && returned.call === call && !hasPassedOn) {
    if (tick - returned.tick < GRACE) return false;
    warnOfValue(watched, returned.call, returned.text);
    return true;
  }
  // During an upload, the server is waiting for the client
  if (watched.req.complete === false) watched.since = tick;
  const patience = patienceOf(watched);
  if (tick - watched.since < patience / PERIOD) return false;
  warnOfStuck(watched, call!, patience);
  return true;
}

function patienceOf({ settings }: Watched): number {
  const value = settings?.['stuck warning'];
  if (value === false || value === 0 || value === null) return Infinity;
  return readDuration(value) ?? STUCK_AFTER;
}

function warnOfValue(watched: Watched, call: Call, text: string): void {
  const message =
    `A handler of ${watched.name()} returned ${text} and sent no response. Return values of handlers are ignored: ` +
    'call res.json(value) or res.send(value).';
  watched.warn('RISTRETTO_RETURNED_VALUE', message, call.place());
}

function warnOfStuck(watched: Watched, call: Call, patience: number): void {
  const place = call.place();
  const reason = watched.hasPassedOn
    ? `It got stuck after ${call.what}${at(place)} had called next().`
    : `It got stuck in ${call.what}${at(place)}, which neither sent a response nor called next().`;
  const read =
    watched.pipedBy === undefined
      ? ''
      : `The request was piped on${atStack(watched.pipedBy)} although a parser had read its body, so that the receiver waits ` +
        'for it: register the proxy before the parser, or give the parser raw: true. ';
  const message =
    `${watched.name()} has had no response for ${patience / 1000} s. ${reason} ${read}` +
    "app.set('stuck warning', milliseconds) changes the time; false disables this warning.";
  watched.warn('RISTRETTO_STUCK', message, place);
}
