/** The options of `app.ws`, checked when a route is registered. */
import bytes = require('bytes');
import { timerDuration } from '../protocol/duration';
import { shown } from '../report/shown';
import type { SocketOptions } from '../types/websocket';
import { checkOf } from '../validation/schema';
import type { Check } from '../validation/schema';
import { originOf } from './origin';

/** The options with their defaults. */
export interface Settled {
  /** The listed origins; undefined for all. */
  readonly origins: ReadonlySet<string> | undefined;
  readonly maxPayload: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxBacklog: number;
  readonly dropsMessages: boolean;
  /** In milliseconds; 0 for none. */
  readonly heartbeat: number;
  readonly compression: boolean | object;
  readonly protocols: readonly string[];
  /** Validates a message. */
  readonly check: Check | undefined;
}

const NAMES = [
  'origins',
  'maxPayload',
  'maxConnections',
  'maxConnectionsPerAddress',
  'maxBacklog',
  'slowReader',
  'heartbeat',
  'compression',
  'protocols',
  'message',
] satisfies (keyof SocketOptions)[];

/** The same as the parsers of bodies have. */
const MAX_PAYLOAD = '100kb';
const MAX_BACKLOG = '1mb';
const MAX_CONNECTIONS = 10_000;
const MAX_CONNECTIONS_PER_ADDRESS = 100;
const HEARTBEAT = '30s';
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** @throws TypeError or RangeError for an unknown or invalid option */
export function readOptions(options: SocketOptions): Settled {
  const unknown = Object.keys(options).find(name => !(NAMES as string[]).includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`app.ws(): ${shown(unknown)} is not an option; the options are ${NAMES.join(', ')}`);
  }
  const { origins = [], slowReader = 'close', compression = false, protocols = [], message } = options;
  const { heartbeat = HEARTBEAT } = options;
  require_(slowReader === 'close' || slowReader === 'drop', 'slowReader', "'close' or 'drop'", slowReader);
  const isSwitch = typeof compression === 'boolean' || (typeof compression === 'object' && compression);
  require_(
    Boolean(isSwitch) || compression === false,
    'compression',
    'true, false or an object',
    compression,
  );
  const areTokens = Array.isArray(protocols) && protocols.every(name => TOKEN.test(String(name)));
  require_(areTokens, 'protocols', "an array of names such as ['chat.v1']", protocols);
  return {
    origins: origins === '*' ? undefined : readOrigins(origins),
    maxPayload: size('maxPayload', options.maxPayload ?? MAX_PAYLOAD),
    maxConnections: count('maxConnections', options.maxConnections ?? MAX_CONNECTIONS),
    maxConnectionsPerAddress: count(
      'maxConnectionsPerAddress',
      options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
    ),
    maxBacklog: size('maxBacklog', options.maxBacklog ?? MAX_BACKLOG),
    dropsMessages: slowReader === 'drop',
    heartbeat: heartbeat === false ? 0 : timerDuration('the heartbeat of app.ws()', heartbeat, 1),
    compression,
    protocols,
    check: message === undefined ? undefined : checkOf(message, 'messages', 'app.ws()'),
  };
}

function readOrigins(origins: readonly unknown[]): ReadonlySet<string> {
  const wanted = "'*' or an array of origins such as 'https://app.example.com'";
  require_(Array.isArray(origins), 'origins', wanted, origins);
  const list = origins.map(origin => {
    const read = typeof origin === 'string' ? originOf(origin) : undefined;
    require_(read !== undefined && read === String(origin).toLowerCase(), 'origins', wanted, origin);
    return read!;
  });
  return new Set(list);
}

function size(name: keyof SocketOptions, given: unknown): number {
  const value = typeof given === 'string' ? bytes.parse(given) : given;
  require_(
    Number.isInteger(value) && (value as number) > 0,
    name,
    "a number of bytes, or text such as '1mb'",
    given,
  );
  return value as number;
}

function count(name: keyof SocketOptions, given: unknown): number {
  const isCount = given === Infinity || (Number.isInteger(given) && (given as number) > 0);
  require_(isCount, name, 'a positive integer, or Infinity', given);
  return given as number;
}

function require_(isRight: boolean, name: keyof SocketOptions, wanted: string, value: unknown): void {
  if (!isRight) throw new TypeError(`app.ws(): ${name} must be ${wanted}, got ${shown(value)}`);
}
