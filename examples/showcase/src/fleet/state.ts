/** The state that the processes of the fleet share, and the panel at /live shows. */

/** What a worker reports of itself, once a second. */
export interface Report {
  /** Requests in the last second. */
  requests: number;
  /** Open connections and event streams. */
  sockets: number;
  /** Bytes of memory. */
  memory: number;
  /** The longest delay of the event loop in the last second, in milliseconds. */
  delay: number;
  /** How many panels are open in browsers. */
  viewers: number;
}

export interface Member extends Report {
  pid: number;
  /** The lowest number that no other member has: each has a port of its own for metrics. */
  slot: number;
  state: 'starting' | 'running' | 'stopping';
  /** When it began to listen; milliseconds since 1970. */
  since: number;
}

/** What the visitors measure: programs that request pages while a panel is open. */
export interface Load {
  /** Requests in the last second. */
  rate: number;
  /** Milliseconds, of the last five seconds. */
  p50: number;
  p99: number;
  /** Requests so far. */
  sent: number;
  /** Requests whose connection broke before the response, and which were sent again. */
  repeated: number;
  /** Requests without a response, also at the second attempt. */
  lost: number;
}

/** The same route in Ristretto and Express. */
export interface Comparison {
  isRunning: boolean;
  /** Microseconds of processor time for each request, the median of the rounds. */
  ristretto?: number;
  express?: number;
  rounds: number;
  problem?: string;
}

export interface FleetState {
  members: Member[];
  load: Load;
  /** What has happened, newest first. */
  log: { at: number; text: string }[];
  comparison: Comparison;
}
