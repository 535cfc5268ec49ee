/** Metrics of the process, read on each scrape. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { isStopping, openCount } from '../../serving/process-state';
import type { Family, Labels } from './exposition';

const NANO = 1e9;
const MICRO = 1e6;
/** Milliseconds between two measurements of the delay. */
const RESOLUTION = 20;

/** The metrics of this process, since its creation. */
export class ProcessMetrics {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  private utilization = performance.eventLoopUtilization();

  constructor() {
    this.delay.enable();
  }

  close(): void {
    this.delay.disable();
  }

  families(): Family[] {
    const cpu = process.cpuUsage();
    const { rss, external, arrayBuffers } = process.memoryUsage();
    const heap = getHeapStatistics();
    const before = this.utilization;
    this.utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.utilization, before);
    return [
      counter('process_cpu_user_seconds', 'Time of the processor in the program', cpu.user / MICRO),
      counter('process_cpu_system_seconds', 'Time of the processor in the system', cpu.system / MICRO),
      gauge(
        'process_start_time_seconds',
        'When the process started, since 1970',
        performance.timeOrigin / 1000,
      ),
      gauge('process_resident_memory_bytes', 'Memory of the process', rss),
      gauge('nodejs_heap_used_bytes', 'Memory in use on the heap', heap.used_heap_size),
      gauge('nodejs_heap_total_bytes', 'Memory of the heap', heap.total_heap_size),
      gauge('nodejs_heap_limit_bytes', 'Limit of the heap', heap.heap_size_limit),
      gauge('nodejs_external_memory_bytes', 'Memory outside of the heap, with buffers', external),
      gauge('nodejs_array_buffers_bytes', 'Memory of buffers', arrayBuffers),
      this.eventLoopDelay(),
      gauge(
        'nodejs_eventloop_utilization',
        'Share of the time in which the event loop was busy, since the last reading',
        utilization,
      ),
      {
        name: 'nodejs_active_resources',
        type: 'gauge',
        help: 'What keeps the process running, by type: connections are TCPSocketWrap',
        samples: countBy(process.getActiveResourcesInfo(), type => ({ type })),
      },
      gauge('ristretto_websockets', 'Open WebSockets of app.ws', openCount('websockets')),
      gauge('ristretto_event_streams', 'Open event streams of res.sse', openCount('eventStreams')),
      gauge('ristretto_stopping', 'Whether a server of the process is being stopped', Number(isStopping())),
    ];
  }

  /** The delay since the last reading. */
  private eventLoopDelay(): Family {
    const { delay } = this;
    // Each sample includes the timer's own interval. Before the first sample, the values are NaN or huge.
    const seconds = (nanoseconds: number): number =>
      delay.count === 0 ? 0 : Math.max(0, nanoseconds / NANO - RESOLUTION / 1000);
    const samples = [
      ...[50, 90, 99].map(rank => ({
        labels: { quantile: String(rank / 100) },
        value: seconds(delay.percentile(rank)),
      })),
      { labels: { quantile: '1' }, value: seconds(delay.max) },
    ];
    delay.reset();
    const help = 'How late the event loop was, since the last reading';
    return { name: 'nodejs_eventloop_delay_seconds', type: 'summary', help, samples };
  }
}

export function gauge(name: string, help: string, value: number): Family {
  return { name, type: 'gauge', help, samples: [{ value }] };
}

export function counter(name: string, help: string, value: number): Family {
  return { name, type: 'counter', help, samples: [{ value }] };
}

function countBy(names: readonly string[], labelsOf: (name: string) => Labels): Family['samples'] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([name, value]) => ({ labels: labelsOf(name), value }));
}
