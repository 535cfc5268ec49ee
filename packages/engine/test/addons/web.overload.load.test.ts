/**
 * How `web.overload` regulates: a simulated event loop runs it in virtual time, so that other programs do not change the
 * result. Each request waits for a database for 50 ms, and then takes a few milliseconds of the processor.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { Load } from '@ristretto/private-engine/lib/addons/middleware/load';

/** Milliseconds. */
const WAIT = 50;
const READING = 0.15;
const REJECTING = 0.08;
const DURATION = 30_000;
const WARM_UP = 2000;
const BETWEEN_PROBES = 97;
const BETWEEN_BURSTS = 3000;

interface Timer {
  at: number;
  run: () => void;
  ref: () => Timer;
  unref: () => Timer;
}

interface Arrival {
  at: number;
  isProbe: boolean;
}

/** The behaviour of a server that rejects requests by its load. */
class Simulation {
  private now = 0;
  private idle = 0;
  private timers: Timer[] = [];
  private immediates: (() => void)[] = [];
  private seed = 42;
  readonly latencies: number[] = [];
  readonly probes: number[] = [];
  rejected = 0;

  /**
   * @param work the milliseconds of the processor that a request takes
   * @param burst how many requests arrive at once, every three seconds, besides the others
   */
  constructor(
    private readonly work: number,
    private readonly burst = 0,
  ) {}

  /** Requests a second that it could handle if it had to reject none. */
  get capacity(): number {
    return 1000 / (this.work + READING);
  }

  get goodput(): number {
    return (this.latencies.length / (DURATION - WARM_UP)) * 1000;
  }

  /** Runs with clocks of its own, which is possible because it is synchronous. */
  run(times: number): void {
    const { setTimeout, setImmediate } = globalThis;
    const { now, eventLoopUtilization } = performance;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, delay: number) => this.addTimer(run, delay),
      setImmediate: (run: () => void) => this.immediates.push(run),
    });
    Object.assign(performance, {
      now: () => this.now,
      eventLoopUtilization: (now?: { idle: number; active: number }, before = { idle: 0, active: 0 }) => {
        if (now === undefined) return { idle: this.idle, active: this.now - this.idle };
        const [idle, active] = [now.idle - before.idle, now.active - before.active];
        return { idle, active, utilization: active / (idle + active) };
      },
    });
    try {
      this.simulate(this.arrivals(this.capacity * times));
    } finally {
      Object.assign(globalThis, { setTimeout, setImmediate });
      Object.assign(performance, { now, eventLoopUtilization });
    }
  }

  private addTimer(run: () => void, delay: number): Timer {
    const timer: Timer = { at: this.now + delay, run, ref: () => timer, unref: () => timer };
    const later = this.timers.findIndex(({ at }) => at > timer.at);
    this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
    return timer;
  }

  private random(): number {
    this.seed = (this.seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.seed / 2 ** 31;
  }

  /** Requests at random times, and health checks at fixed ones. */
  private arrivals(rate: number): Arrival[] {
    const found: Arrival[] = [];
    for (let at = 0; at < DURATION; at -= (Math.log(1 - this.random()) * 1000) / rate)
      found.push({ at, isProbe: false });
    for (let at = 0; at < DURATION; at += BETWEEN_PROBES) found.push({ at, isProbe: true });
    for (let at = BETWEEN_BURSTS; at < DURATION; at += BETWEEN_BURSTS) {
      for (let i = 0; i < this.burst; i++) found.push({ at, isProbe: false });
    }
    return found.sort((a, b) => a.at - b.at);
  }

  /** The phases of each turn: timers, connections that can be read, and immediates. */
  private simulate(arrivals: Arrival[]): void {
    const load = new Load({ maxDelay: 20, maxRequests: Infinity, maxHeap: 1, maxRss: Infinity });
    let next = 0;
    while (next < arrivals.length) {
      const turn = this.now;
      while (this.timers.length > 0 && this.timers[0]!.at <= turn) this.timers.shift()!.run();
      const readable = this.now;
      while (next < arrivals.length && arrivals[next]!.at <= readable) this.handle(load, arrivals[next++]!);
      for (const run of this.immediates.splice(0)) run();
      if (this.now > turn || next >= arrivals.length) continue;
      const wake = Math.max(turn, Math.min(arrivals[next]!.at, this.timers[0]?.at ?? Infinity));
      this.idle += wake - turn;
      this.now = wake;
    }
  }

  private handle(load: Load, { at, isProbe }: Arrival): void {
    const isCounted = at >= WARM_UP;
    if (isProbe) {
      this.now += READING;
      if (isCounted) this.probes.push(this.now - at);
    } else if (load.reasonToReject('normal') === undefined) {
      let close = (): void => undefined;
      const res = { headersSent: false, on: (_event: string, listener: () => void) => (close = listener) };
      load.enter({} as never, res as unknown as ServerResponse);
      this.now += READING;
      this.addTimer(() => {
        this.now += this.work * (0.9 + 0.2 * this.random());
        close.call(res);
        if (isCounted) this.latencies.push(this.now - at);
      }, WAIT);
    } else {
      load.reject(() => {
        this.now += REJECTING;
        if (isCounted) this.rejected++;
      });
    }
  }
}

const rank = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;

describe('web.overload', () => {
  for (const work of [2, 5]) {
    test(`three times the capacity: 90 % is served in twice the time at most, health checks in 100 ms (${String(work)} ms each)`, () => {
      const simulation = new Simulation(work);
      simulation.run(3);
      const { goodput, capacity, latencies, probes } = simulation;
      const [p99, slowestProbe] = [rank(latencies, 0.99), rank(probes, 1)];
      const figures = `${String(goodput / capacity)} of the capacity, p99 ${String(p99)} ms, probe ${String(slowestProbe)} ms`;
      assert.ok(goodput >= 0.9 * capacity, figures);
      assert.ok(p99 <= 2 * (WAIT + work + READING), figures);
      assert.ok(slowestProbe <= 100, figures);
    });
  }

  test('two thirds of the capacity: nothing is rejected', () => {
    const simulation = new Simulation(2);
    simulation.run(2 / 3);
    assert.equal(simulation.rejected, 0);
  });

  test('half of the capacity, and bursts of 60 requests: nothing is rejected', () => {
    const simulation = new Simulation(2, 60);
    simulation.run(1 / 2);
    assert.equal(simulation.rejected, 0);
  });
});
