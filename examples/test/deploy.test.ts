// runs: once
/**
 * All of deploy/ agrees with examples/showcase: the duration of a stop, the health paths, and the variables it reads.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { manifests, parseFile, read, root } from './deploy';
import { program } from './servers';
import { temporaryFolder } from './showcase';

const config = read('examples/showcase/src/config.ts');

/** Returns the maximum duration of a stop of the board in milliseconds, computed from the terms of its timeout. */
function timeout(stopDelay: number, stopDrain?: number): number {
  const [, sum] = /stopOnSignals\([^]*?timeout: (.*?),\n/.exec(read('examples/showcase/src/index.ts'))!;
  return sum!.split(' + ').reduce((total, term) => {
    if (/^[\d_]+$/.test(term)) return total + Number(term.replaceAll('_', ''));
    const name = /^config\.(\w+)$/.exec(term)![1]!;
    if (name === 'stopDelay') return total + stopDelay;
    if (name === 'stopDrain' && stopDrain !== undefined) return total + stopDrain;
    return total + Number(new RegExp(`${name}: wholeNumber\\('\\w+', (\\d+)\\)`).exec(config)![1]);
  }, 0);
}

const unit = read('deploy/systemd/crema@.service');
const dockerfile = read('deploy/docker/Dockerfile');
const { app } = (parseFile('deploy/docker/compose.yaml') as { services: Record<string, any> }).services; // eslint-disable-line @typescript-eslint/no-explicit-any -- as in the file
const all = manifests();
const configMap = all.find(({ kind }) => kind === 'ConfigMap')!.data!;
const pod = all.find(({ kind }) => kind === 'Deployment')!.spec.template.spec;
const [container] = pod.containers;
const preStop: number = container.lifecycle.preStop.sleep.seconds;

/** Returns the first group of a pattern. */
const find = (text: string, pattern: RegExp) => pattern.exec(text)![1]!;

describe('deploy', () => {
  test('each platform waits longer for a process to end than a stop takes, but not forever', () => {
    const waits = {
      systemd: [
        find(unit, /STOP_DELAY=(\d+)/),
        find(unit, /^TimeoutStopSec=(\d+)$/m),
        find(unit, /STOP_DRAIN=(\d+)/),
      ],
      compose: [app.environment.STOP_DELAY, find(app.stop_grace_period, /^(\d+)s$/)],
      run: [0, find(read('docs/deploy.md'), /--stop-timeout=(\d+)/)],
      kubernetes: [configMap.STOP_DELAY, pod.terminationGracePeriodSeconds - preStop, configMap.STOP_DRAIN],
    };
    for (const [name, [delay, seconds, drain]] of Object.entries(waits)) {
      const rest =
        Number(seconds) * 1000 - timeout(Number(delay), drain === undefined ? drain : Number(drain));
      // Databases are closed after the timeout.
      assert.ok(rest >= 2000 && rest <= 10_000, `${name}: ${rest} ms are left`);
    }
    assert.match(unit, /^KillSignal=SIGTERM$/m);
    assert.doesNotMatch(dockerfile, /STOPSIGNAL/);
  });

  test('nginx: keeps connections for a shorter time than processes drain, and waits longer than their deadlines', () => {
    const nginx = read('deploy/nginx/board.conf');
    const keepalive = Number(find(nginx, /keepalive_timeout (\d+)s;/)) * 1000;
    for (const drain of [find(unit, /STOP_DRAIN=(\d+)/), configMap.STOP_DRAIN])
      assert.ok(keepalive < Number(drain));
    const [, usual, uploads] = /deadline\('(\d+)s'\), web\.deadline\('(\d+)m'\)/.exec(
      read('examples/showcase/src/app.ts'),
    )!;
    const waits = [Number(usual), Number(uploads) * 60].map(seconds => seconds + 5);
    const [all, , posts] = [...nginx.matchAll(/proxy_read_timeout (\d+)s;/g)].map(([, seconds]) =>
      Number(seconds),
    );
    const gateway = read('deploy/kubernetes/gateway.yaml');
    const [, , other] = [...gateway.matchAll(/request: (\d+)s/g)].map(([, seconds]) => Number(seconds));
    assert.ok(all! >= waits[0]! && other! >= waits[0]!);
    assert.ok(posts! >= waits[1]!);
  });

  test('in Kubernetes a pod becomes unready before STOP_DELAY is over', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    assert.ok(periodSeconds * failureThreshold * 1000 < Number(configMap.STOP_DELAY));
  });

  test('health probes use the paths of the board', () => {
    // Those of web.health, without checks of the stores that all processes share.
    assert.match(read('examples/showcase/src/app.ts'), /\bweb\.health\(\),/);
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      name => container[name].httpGet.path,
    );
    assert.deepEqual(probes, ['/livez', '/livez', '/readyz']);
    assert.match(dockerfile, /^HEALTHCHECK .*\/livez"\]$/m);
    assert.match(unit, /^ExecStartPost=.*\/readyz \d+$/m);
    const wait = Number(find(unit, /^ExecStartPost=.* (\d+)$/m));
    assert.ok(Number(find(unit, /^TimeoutStartSec=(\d+)$/m)) > wait);
  });

  test('every variable that is set is read by the board', () => {
    const known = [
      ...[...config.matchAll(/(?:env\.|wholeNumber\('|url\('|choice\(')([A-Z_]+)/g)].map(([, name]) => name!),
      'NODE_ENV',
      ...read('examples/showcase/src/log.ts').match(/LOG_LEVEL/g)!,
    ];
    const set = [
      ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list]) => list!.match(/[A-Z_]+(?==)/g)!),
      ...[...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, list]) => list!.match(/[A-Z_]+(?==)/g)!),
      ...Object.keys(app.environment as object),
      ...Object.keys(configMap),
    ];
    assert.ok(set.length > 15);
    for (const name of set) assert.ok(known.includes(name), name);
  });

  const promtool = program('promtool');
  describe('prometheus', { skip: promtool === undefined && 'promtool is not installed' }, () => {
    const check = (...args: string[]) => {
      const cwd = path.join(root, 'deploy/prometheus');
      return spawnSync(promtool!, args, { cwd, encoding: 'utf8' });
    };

    test('the configuration and the rules are valid', () => {
      for (const args of [
        ['config', 'prometheus.yml'],
        ['rules', 'alerts.yml'],
      ]) {
        const { status, stdout, stderr } = check('check', ...args);
        assert.equal(status, 0, stdout + stderr);
      }
    });

    test('each alert fires on its own condition, and none on a quiet fleet', () => {
      const series = (name: string, labels: string, values: string) => ({
        series: `${name}{job="board",instance="a"${labels && `,${labels}`}}`,
        values,
      });
      const requests = 'http_server_request_duration_seconds';
      const quiet = [
        series('up', '', '1x60'),
        series(`${requests}_count`, 'http_response_status_code="200"', '0+100x60'),
        series(`${requests}_count`, 'http_response_status_code="500"', '0x60'),
        series(`${requests}_bucket`, 'http_route="/",le="0.5"', '0+100x60'),
        series(`${requests}_bucket`, 'http_route="/",le="+Inf"', '0+100x60'),
        // Streams are open for hours.
        series(`${requests}_bucket`, 'http_route="/events",le="0.5"', '0x60'),
        series(`${requests}_bucket`, 'http_route="/events",le="+Inf"', '0+100x60'),
        series('ristretto_overload_requests_total', 'reason="delay"', '0x60'),
        series('http_server_unhandled_errors_total', '', '0x60'),
        series('nodejs_eventloop_utilization', '', '0.4x60'),
        series('nodejs_heap_used_bytes', '', '50x60'),
        series('nodejs_heap_limit_bytes', '', '100x60'),
        series('process_start_time_seconds', '', '0x60'),
        series('ristretto_stopping', '', '0x60'),
        series(`${requests}_bucket`, 'http_route="/",le="5"', '0+100x60'),
      ];
      const faults: Record<string, [index: number, values: string]> = {
        BoardGone: [0, '0x60'],
        BoardProcessGone: [0, '0x60'],
        BoardErrors: [2, '0+5x60'],
        BoardSlow: [3, '0+90x60'],
        BoardSheds: [7, '0+1x60'],
        BoardUnhandledErrors: [8, '0x25 1x35'],
        BoardBusy: [9, '0.9x60'],
        BoardMemory: [10, '90x60'],
        BoardRestarts: [12, '0 1 2 3 4 5x60'],
        BoardDoesNotStop: [13, '1x60'],
      };
      const alerts = (read('deploy/prometheus/alerts.yml').match(/alert: (\w+)/g) ?? []).map(text =>
        text.slice(7),
      );
      assert.deepEqual(alerts.sort(), Object.keys(faults).sort());
      const file = path.join(temporaryFolder(), 'test.yml');
      const rules = path.join(root, 'deploy/prometheus/alerts.yml');
      const firing = (input: object[]): Set<string> => {
        const at = { eval_time: '30m', exp_alerts: [] };
        const alert_rule_test = alerts.map(alertname => ({ ...at, alertname }));
        const tests = [{ interval: '1m', input_series: input, alert_rule_test }];
        fs.writeFileSync(file, JSON.stringify({ rule_files: [rules], tests }));
        const { stdout, stderr } = check('test', 'rules', file);
        return new Set([...(stdout + stderr).matchAll(/alertname: (\w+),/g)].map(([, name]) => name!));
      };
      assert.deepEqual([...firing(quiet)], []);
      for (const [name, [index, values]] of Object.entries(faults)) {
        const input = quiet.map((each, at) => (at === index ? { ...each, values } : each));
        assert.ok(firing(input).has(name), name);
      }
    });

    test('alerts and the dashboard use metrics that web.metrics has, and the ports of the deployments', async () => {
      const handler = web.metrics();
      const text = await handler.text();
      handler.close();
      const known = [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      );
      const used = ['alerts.yml', 'dashboard.json'].flatMap(name =>
        [
          ...read(`deploy/prometheus/${name}`).matchAll(
            /\b((?:http|nodejs|process|ristretto)_\w+)(?=\\?\{|\)| \/ |\[|, job| >)/g,
          ),
        ].map(([, metric]) => metric!),
      );
      assert.ok(new Set(used).size > 12);
      for (const name of used.filter(each => !/^http_(?:route|response_status_code)$/.test(each)))
        assert.ok(known.includes(name), name);
      const [, port] = container.ports as { containerPort: number }[];
      assert.match(read('deploy/prometheus/prometheus.yml'), new RegExp(`port: ${port!.containerPort} `));
      assert.match(dockerfile, new RegExp(`METRICS_PORT=${port!.containerPort} `));
      assert.match(unit, /METRICS_PORT=1%i$/m);
      assert.match(read('deploy/prometheus/prometheus.yml'), /127\.0\.0\.1:13001/);
    });
  });
});
