/** Generates what the client sends, and when it disconnects. */
import type { Ask } from '../description.js';
import type { Random } from '../../../packages/engine/test/support/random.js';
import type { Action } from './program.js';
import { filler } from './values.js';

type Has = (subject: 'aborts' | 'bodies') => boolean;

export function actions(random: Random, handlers: number, isMixed: boolean, has: Has): Action[] {
  const list: Action[] = [];
  const aborts = has('aborts');
  if (aborts && random.chance(0.6)) list.push(watch(random));
  for (let left = random.between(1, 2); left > 0; left--) {
    const sent = packet(random, handlers, isMixed, has);
    if (random.chance(0.05)) list.push({ read: 'pause' });
    list.push(sent);
    if (sent.hold !== undefined && random.chance(0.7)) list.push({ rest: true });
  }
  if (list.some(({ read }) => read)) list.push({ read: 'resume' });
  if (aborts && random.chance(0.7)) list.splice(random.between(1, list.length), 0, { stop: stop(random) });
  return list;
}

function stop(random: Random): NonNullable<Action['stop']> {
  return random.pick(['destroy', 'destroy', 'reset', 'end'] as const);
}

function watch(random: Random): Action {
  return {
    watch: random.pick(['bytes', 'header block', 'signal', 'signal', 'body'] as const),
    by: stop(random),
  };
}

function packet(random: Random, handlers: number, isMixed: boolean, has: Has): Action {
  const send = random.many(1, random.chance(0.2) ? 3 : 1, () => ask(random, handlers, isMixed, has));
  const last = send[send.length - 1]!;
  const isHeld = last.body !== undefined ? random.chance(has('bodies') ? 0.5 : 0.2) : random.chance(0.02);
  return isHeld ? { send, hold: random.pick([1, 3, 7, 20, 100]) } : { send };
}

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
];
const BODIES = ['{"a":1}', '{"a":', 'a=1&b=2', 'text', '', filler(3_000), filler(70_000), filler(120_000)];

function ask(random: Random, handlers: number, isMixed: boolean, has: Has): Ask {
  const target = isMixed && random.chance(0.4) ? '/bare' : `/${random.between(0, handlers - 1)}`;
  const hasBody = has('bodies') || random.chance(0.15);
  const made: Ask = {
    method: hasBody
      ? random.pick(['POST', 'PUT', 'GET'])
      : random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE']),
    target,
    headers: [],
  };
  if (random.chance(0.12)) made.version = '1.0';
  if (random.chance(0.12)) made.headers.push(['Connection', random.pick(['close', 'keep-alive', 'Close'])]);
  if (hasBody) {
    made.body = random.pick(BODIES);
    made.headers.push(['Content-Type', random.pick(TYPES)]);
    if (random.chance(0.3)) made.chunked = true;
    if (random.chance(0.15))
      made.headers.push(['Expect', random.pick(['100-continue', '100-continue', 'x'])]);
    if (random.chance(0.05)) made.headers.push(['Content-Length', random.pick(['5', '200', 'x'])]);
  }
  if (random.chance(0.03)) made.headers.push(['If-None-Match', '*']);
  if (random.chance(0.03)) made.headers.push(['Upgrade', 'other'], ['Connection', 'upgrade']);
  return made;
}
