/** Generates the steps of a handler: it reads, changes, and ends with a response, with next, or with an error. */
import type { Step, Value } from './description.js';
import { answer, atOnce } from './generate-answer.js';
import { change } from './generate-change.js';
import { look } from './generate-look.js';
import type { Random } from '../../packages/engine/test/support/random.js';

const ERRORS: Value[] = [
  { $: 'error', text: 'plain' },
  { $: 'error', text: 'teapot', status: 418 },
  { $: 'error', text: 'gone <b>', statusCode: 410, headers: { 'X-Err': '1' } },
  { $: 'error', text: 'odd', status: 200 },
  { $: 'error', text: 'big', status: 700 },
  { $: 'error', text: 'exposed', status: 503, expose: true, type: 'some.type' },
  'a string',
  '',
  0,
  5,
  { status: 409, message: 'object' },
  { $: 'undefined' },
  null,
  'route',
  'router',
  false,
];

/** Returns a handler's steps: reads, changes, and an end; `sends` is the share of handlers that respond. */
export function steps(random: Random, sends: number): Step[] {
  const list: Step[] = [...random.many(0, 3, () => look(random)), ...random.many(0, 3, () => change(random))];
  const end = random.weighted<Step[]>([
    [sends * 10, () => [answer(random)]],
    [
      sends * 0.3,
      () => [
        { res: 'write', args: ['part '] },
        { res: 'end', args: ['last'] },
      ],
    ],
    [
      sends * 0.3,
      () => [
        { res: 'writeHead', args: [202, { 'X-Head': 'w' }] },
        { res: 'end', args: ['head'] },
      ],
    ],
    [sends * 0.05, () => [{ res: 'write', args: ['part'] }, { throw: { $: 'error', text: 'too late' } }]],
    [sends * 0.15, () => [atOnce(random), { next: [] }]],
    [sends * 0.15, () => [atOnce(random), { throw: { $: 'error', text: 'after the answer' } }]],
    [(1 - sends) * 10, () => [{ next: [] }]],
    [(1 - sends) * 1.5, () => [{ next: ['route'] }]],
    [(1 - sends) * 1, () => [{ next: ['router'] }]],
    [(1 - sends) * 1.2, () => [{ next: [random.pick(ERRORS)] }]],
    [(1 - sends) * 1, () => [{ throw: random.pick(ERRORS) }]],
  ]);
  return random.chance(0.1) ? [...list, { later: end }] : [...list, ...end];
}
