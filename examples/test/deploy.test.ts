/**
 * All of deploy/ agrees with examples/showcase: the duration of a stop, the health paths, and the variables it reads.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manifests, parseFile, read } from './deploy';

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
      systemd: [find(unit, /STOP_DELAY=(\d+)/), find(unit, /^TimeoutStopSec=(\d+)$/m)],
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
      ...[...config.matchAll(/(?:env\.|wholeNumber\('|url\(')([A-Z_]+)/g)].map(([, name]) => name!),
      'NODE_ENV',
      ...read('examples/showcase/src/log.ts').match(/LOG_LEVEL/g)!,
    ];
    const set = [
      ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list]) => list!.match(/[A-Z_]+(?==)/g)!),
      ...find(dockerfile, /^ENV (.*)$/m).match(/[A-Z_]+(?==)/g)!,
      ...Object.keys(app.environment as object),
      ...Object.keys(configMap),
    ];
    assert.ok(set.length > 15);
    for (const name of set) assert.ok(known.includes(name), name);
  });
});
