/** The options of `app.ws`, checked when a route is registered. */
import { sizeOption, timerDuration } from '../../amount';
import { READ, checkOption, checkOptions, listOf } from '../../report/option-checks';
import type { Kind, Kinds } from '../../report/option-checks';
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

const CALLER = 'app.ws()';
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const ORIGINS = "'*' or an array of origins such as 'https://app.example.com'";
const COUNT: Kind = [
  'a positive integer, or Infinity',
  value => value === Infinity || value === null || (Number.isInteger(value) && (value as number) > 0),
];

const OPTIONS = {
  origins: [ORIGINS, value => value === '*' || Array.isArray(value)],
  maxPayload: READ,
  maxConnections: COUNT,
  maxConnectionsPerAddress: COUNT,
  maxBacklog: READ,
  slowReader: ["'close' or 'drop'", value => value === 'close' || value === 'drop'],
  heartbeat: READ,
  compression: [
    'true, false or an object',
    value => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
  ],
  protocols: listOf("names such as ['chat.v1']", name => TOKEN.test(String(name))),
  message: READ,
} satisfies Kinds<SocketOptions>;

/** The same default as for body parsers. */
const MAX_PAYLOAD = '100kb';
const MAX_BACKLOG = '1mb';
const MAX_CONNECTIONS = 10_000;
const MAX_CONNECTIONS_PER_ADDRESS = 100;
const HEARTBEAT = '30s';

/** @throws TypeError or RangeError for an unknown or invalid option */
export function readOptions(options: SocketOptions): ResolvedOptions {
  checkOptions(CALLER, options, OPTIONS);
  const { origins = [], slowReader = 'close', compression = false, protocols = [], message } = options;
  const { heartbeat = HEARTBEAT } = options;
  return {
    origins: origins === '*' ? undefined : new Set(origins.map(readOrigin)),
    maxPayload: sizeOption(CALLER, 'maxPayload', options.maxPayload ?? MAX_PAYLOAD),
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
    maxBacklog: sizeOption(CALLER, 'maxBacklog', options.maxBacklog ?? MAX_BACKLOG),
    dropsMessages: slowReader === 'drop',
    heartbeat: heartbeat === false ? 0 : timerDuration('the heartbeat of app.ws()', heartbeat, 1),
    compression,
    protocols,
    check: message === undefined ? undefined : checkOf(message, 'the option message', CALLER),
  };
}

function readOrigin(origin: unknown): string {
  const read = typeof origin === 'string' ? originOf(origin) : undefined;
  checkOption(read === String(origin).toLowerCase(), CALLER, 'origins', ORIGINS, origin);
  return read!;
}
