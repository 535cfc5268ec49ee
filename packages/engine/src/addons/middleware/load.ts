/**
 * Measures the load of the process for `web.overload`, and decides whether one more request can be handled.
 *
 * Requests of all connections that are ready are read and handled in one turn of the event loop, before any timer runs. A
 * timer therefore notices too late that there were too many: the age of the turn limits how many of them are handled.
 * What they do later (after a database has responded) delays the loop too; that is limited by how many requests may wait
 * for a response, which is lowered while the loop is late and raised while it is not.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { onClosed } from '../../serving/closing';
import type { OverloadPriority, OverloadReason } from '../../types/operation';

interface LoadLimits {
  readonly maxDelay: number;
  readonly maxRequests: number;
  readonly maxHeap: number;
  readonly maxRss: number;
}

/** Milliseconds by which the event loop may be late: bursts and garbage collection are no overload. */
const TOLERANCE = 200;
/** Milliseconds between two adjustments. */
const STEP = 100;
/** Milliseconds between two checks of memory: reading the RSS takes 10 µs. */
const MEMORY_INTERVAL = 100;
/** Milliseconds without a rejection after which the measured limit of requests is dropped. */
const RECOVERY = 1000;
/** The lowest limit on concurrent requests, because requests that wait for a database do not occupy the event loop. */
const LEAST = 4;
/** The share of the event loop's time that rejections may take. Beyond it, they are delayed. */
const REJECTING = 0.3;
/** The longest delay of a rejection, in milliseconds. */
const LONGEST_HOLD = 1000;
/** The longest time that a rejection takes, in milliseconds. */
const COSTLY = 0.3;
/** The share of `maxDelay` by which the event loop is late on average while the limit is right. */
const TARGET = 0.5;
/** One step makes only this share of the correction, because the effect of earlier steps has not been measured yet. */
const RAISE = 0.5;
/** An event loop that works for this share of the time counts as busy. */
const BUSY = 0.92;
/** The share of the limits at which requests of low priority are rejected. */
const LOW = 0.5;

export class Load {
  /** Responses whose header block has not been sent. */
  private readonly waiting = new Set<ServerResponse>();
  private timer: NodeJS.Timeout | undefined;
  /** When the current turn of the event loop read its first request; 0 if it has read none. */
  private turnStart = 0;
  /** When the last request was rejected, if no other request was read since; otherwise 0. */
  private rejectedLast = 0;
  /** Milliseconds spent on rejections, of which there may be many: in this turn, and since the last measurement. */
  private turnRejecting = 0;
  private rejecting = 0;
  private windowRejecting = 0;
  /** Rejections that are held back, in the order of their times, and for how many milliseconds. */
  private readonly held: { readonly at: number; readonly respond: () => void }[] = [];
  private hold = 0;
  private longestTurn = 0;
  private dueAt = 0;
  /** When the event loop began to be late in every measurement; 0 if it was in time in the last one. */
  private lateSince = 0;
  /** The total delay since the last adjustment, and the number of measurements. */
  private lateness = 0;
  private measurements = 0;
  private utilization = performance.eventLoopUtilization();
  private isOverloaded = false;
  /** The limit of requests that wait for a response, as measured. */
  private limit = Infinity;
  /** Whether it has rejected a request since the last adjustment. */
  private isLimiting = false;
  private adjustedAt = 0;
  private rejectedAt = 0;
  /** Responses that have begun since then. */
  private begun = 0;
  private memoryReadAt = 0;
  private isMemoryShort = false;

  constructor(private readonly limits: LoadLimits) {}

  /** Returns why a request has to be rejected, or undefined if it can be handled. */
  reasonToReject(priority: OverloadPriority): OverloadReason | undefined {
    const now = performance.now();
    if (this.turnStart === 0) {
      this.turnStart = now;
      this.turnRejecting = 0;
      setImmediate(this.endTurn);
    } else if (this.rejectedLast !== 0) {
      // Between two requests, other callbacks may have run.
      this.turnRejecting += Math.min(now - this.rejectedLast, COSTLY);
    }
    this.rejectedLast = 0;
    if (priority === 'critical') return undefined;
    const reason = this.reasonAt(now, priority === 'low' ? LOW : 1);
    if (reason !== undefined) this.rejectedAt = this.rejectedLast = now;
    return reason;
  }

  private reasonAt(now: number, share: number): OverloadReason | undefined {
    if (now - this.memoryReadAt >= MEMORY_INTERVAL) {
      this.memoryReadAt = now;
      this.isMemoryShort = this.readMemory();
      // Accepts this request: a process that allocates nothing never collects its garbage.
    } else if (this.isMemoryShort) {
      return 'memory';
    }
    const waiting = this.waiting.size;
    if (waiting >= this.limits.maxRequests * share) return 'requests';
    const age = now - this.turnStart - this.turnRejecting;
    const { maxDelay } = this.limits;
    if (age > (this.isOverloaded ? maxDelay * share : Math.max(TOLERANCE, maxDelay))) return 'delay';
    if (!this.isOverloaded || waiting < this.limit * share) return undefined;
    this.isLimiting = true;
    return 'requests';
  }

  /**
   * Responds to a rejected request: at once, unless rejections take too much time. Clients that repeat rejected requests
   * at once would otherwise leave no time for others. Node accepts one connection in each turn of the event loop, so
   * turns full of rejections would also delay new clients for seconds.
   */
  reject(respond: () => void): void {
    if (this.hold === 0) {
      respond();
    } else {
      this.held.push({ at: performance.now() + this.hold, respond });
      this.start();
      // A process without connections, such as a test, must not exit before the delayed response.
      this.timer!.ref();
    }
  }

  /** Counts a request until its response begins. */
  enter(req: IncomingMessage, res: ServerResponse): void {
    this.waiting.add(res);
    onClosed(req, res, () => {
      if (this.waiting.delete(res)) this.begun++;
    });
    this.start();
  }

  private start(): void {
    if (this.timer !== undefined) return;
    this.dueAt = performance.now() + this.interval;
    this.adjustedAt = performance.now();
    this.utilization = performance.eventLoopUtilization();
    this.begun = 0;
    this.timer = setTimeout(this.measure, this.interval).unref();
  }

  private readonly endTurn = (): void => {
    const now = performance.now();
    this.rejectedLast = 0;
    this.rejecting += this.turnRejecting;
    const age = now - this.turnStart - this.turnRejecting;
    if (age > this.longestTurn) this.longestTurn = age;
    this.turnStart = 0;
  };

  private get interval(): number {
    return Math.max(5, Math.min(20, this.limits.maxDelay));
  }

  private readonly measure = (): void => {
    const now = performance.now();
    // The time that rejections themselves take is no reason to reject more.
    const late = Math.max(now - this.dueAt - this.rejecting, this.longestTurn);
    this.longestTurn = 0;
    this.windowRejecting += this.rejecting;
    this.rejecting = 0;
    // A download or an event stream may go on for long, and does not delay others.
    for (const res of this.waiting) {
      if (res.headersSent && this.waiting.delete(res)) this.begun++;
    }
    this.adjust(now, late);
    const before = performance.now();
    while (this.held.length > 0 && this.held[0]!.at <= now) this.held.shift()!.respond();
    this.rejecting += performance.now() - before;
    if (this.waiting.size === 0 && this.held.length === 0 && !this.isOverloaded) {
      this.timer = undefined;
      return;
    }
    this.dueAt = now + this.interval;
    this.timer = setTimeout(this.measure, this.interval);
    if (this.held.length === 0) this.timer.unref();
  };

  private adjust(now: number, late: number): void {
    // A single long call is no overload: the event loop must be late for longer.
    if (late <= this.limits.maxDelay) this.lateSince = 0;
    else if (this.lateSince === 0) this.lateSince = now - late;
    this.lateness += late;
    this.measurements++;
    const since = now - this.adjustedAt;
    if (since < STEP) return;
    const before = this.utilization;
    this.utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.utilization, before);
    const rejecting = this.windowRejecting / since;
    if (rejecting > REJECTING) this.hold = Math.min(LONGEST_HOLD, Math.max(this.hold, this.interval) * 1.5);
    else this.hold = this.hold < this.interval ? 0 : this.hold * 0.8;
    if (this.isOverloaded) {
      this.adjustLimit(since, utilization);
      if (now - this.rejectedAt >= RECOVERY) {
        this.isOverloaded = false;
        this.limit = Infinity;
      }
      // An event loop that was idle in between is late because of other processes or a single call, not of its load.
    } else if (this.lateSince !== 0 && now - this.lateSince >= TOLERANCE && utilization >= BUSY) {
      this.isOverloaded = true;
      this.rejectedAt = now;
      // Starts with what the process can handle in the tolerated time: it has not measured yet how long requests wait
      // for I/O.
      this.limit = Math.max(LEAST, Math.min(this.waiting.size, (this.begun / since) * TOLERANCE));
    }
    this.adjustedAt = now;
    this.begun = 0;
    this.windowRejecting = 0;
    this.lateness = this.measurements = 0;
  }

  /**
   * Moves the limit to where the event loop would be late by its target. By Little's law, the correction is the number
   * of requests handled in the time by which the delay is off, and an idle share of the time allows as large a share
   * of requests more.
   */
  private adjustLimit(since: number, utilization: number): void {
    const waiting = Math.max(1, this.waiting.size);
    const handled = this.begun / since;
    const early = this.limits.maxDelay * TARGET - this.lateness / this.measurements;
    const idle = utilization < BUSY ? waiting * (1 - utilization) : 0;
    // A change shows only when waiting requests resume, so steps are smaller the longer requests wait.
    const step = (early * handled + idle) * Math.min(1, (since * handled) / waiting);
    if (step < 0) this.limit = Math.max(LEAST, this.limit + step);
    else if (this.isLimiting) this.limit += step * RAISE;
    this.isLimiting = false;
  }

  private readMemory(): boolean {
    const { maxHeap, maxRss } = this.limits;
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    // Bun reports no limit.
    if (limit > 0 && used > limit * maxHeap) return true;
    return maxRss !== Infinity && process.memoryUsage.rss() > maxRss;
  }
}
