/**
 * Formats server-sent events as text (https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.5).
 */

/** The fields of an event; the data is already text. */
export interface EventFields {
  event?: unknown;
  data?: string | undefined;
  id?: unknown;
  retry?: unknown;
}

const LINE_BREAK = /\r\n|\r|\n/;
const NO_NAME = /[\r\n]/;
const NO_ID = /[\r\n\0]/;

/**
 * Formats an event for sending.
 * @throws TypeError for a field of the wrong type, or one with a line break or NUL that would end it early
 */
export function formatEvent({ event, data, id, retry }: EventFields): string {
  let text = '';
  if (event !== undefined) text += `event: ${checked('event', event, NO_NAME)}\n`;
  if (id !== undefined) text += `id: ${checked('id', typeof id === 'number' ? String(id) : id, NO_ID)}\n`;
  if (retry !== undefined) text += `retry: ${milliseconds(retry)}\n`;
  // Clients discard an event without data.
  const lines = data ?? (event === undefined ? undefined : '');
  if (lines !== undefined) text += prefixed('data: ', lines);
  return `${text}\n`;
}

/** Formats a comment for sending. */
export function formatComment(text: string): string {
  return `${prefixed(': ', text)}\n`;
}

function prefixed(prefix: string, text: string): string {
  return text
    .split(LINE_BREAK)
    .map(line => `${prefix}${line}\n`)
    .join('');
}

function checked(name: string, value: unknown, bad: RegExp): string {
  if (typeof value !== 'string') throw new TypeError(`Expected ${name} to be a string, got ${String(value)}`);
  if (!bad.test(value)) return value;
  throw new TypeError(`Expected ${name} to have no line breaks and no NUL, got ${JSON.stringify(value)}`);
}

function milliseconds(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
  throw new TypeError(`Expected retry to be a whole number of milliseconds, got ${String(value)}`);
}
