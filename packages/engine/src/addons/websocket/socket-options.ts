/** The options of `app.ws`, checked when a route is registered. */
import { sizeOption, timerDuration } from '../../amount';
import { checkNames, checkOption } from '../../report/option-checks';
import type { SocketOptions } from '../../types/websocket';
import { checkOf } from '../validation/schema';
import type { Check } from '../validation/schema';
import { originOf } from './origin';

/** The options with their defaults. */
export interface ResolvedOptions {
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

/** The same default as for body parsers. */
const MAX_PAYLOAD = '100kb';
const MAX_BACKLOG = '1mb';
const MAX_CONNECTIONS = 10_000;
const MAX_CONNECTIONS_PER_ADDRESS = 100;
const HEARTBEAT = '30s';
const CALLER = 'app.ws()';
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** @throws TypeError or RangeError for an unknown or invalid option */
export function readOptions(options: SocketOptions): ResolvedOptions {
  checkNames(CALLER, options, NAMES);
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
    maxPayload: sizeOption(CALLER, 'maxPayload', options.maxPayload ?? MAX_PAYLOAD),
    maxConnections: count('maxConnections', options.maxConnections ?? MAX_CONNECTIONS),
    maxConnectionsPerAddress: count(
      'maxConnectionsPerAddress',
      options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
    ),
    maxBacklog: sizeOption(CALLER, 'maxBacklog', options.maxBacklog ?? MAX_BACKLOG),
    dropsMessages: slowReader === 'drop',
    heartbeat: heartbeat === false ? 0 : timerDuration('the heartbeat of app.ws()', heartbeat, 1),
    compression,
    protocols,
    check: message === undefined ? undefined : checkOf(message, 'the option message', CALLER),
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

function count(name: keyof SocketOptions, given: unknown): number {
  const isCount = given === Infinity || (Number.isInteger(given) && (given as number) > 0);
  require_(isCount, name, 'a positive integer, or Infinity', given);
  return given as number;
}

function require_(isRight: boolean, name: keyof SocketOptions, wanted: string, value: unknown): void {
  checkOption(isRight, CALLER, name, wanted, value);
}
