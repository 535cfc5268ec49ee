// runs: once
/**
 * deploy/kubernetes, checked with the types of the API: the compiler finds unknown and missing fields, and values of
 * the wrong type. Rules that the types cannot express (matching names, the Pod Security Standard) are tested
 * separately.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { z } from 'zod';
import { documentsOf, manifests, parseFile, read, root, type Manifest } from './deploy';
import { each } from '../../packages/engine/test/support/http';

/** API versions, with the modules that declare the types of their kinds. */
const TYPES: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking/v1',
};

/** Returns the compiler's diagnostics for manifests, each written as a value of its type. */
function mistakes(documents: Manifest[]): string[] {
  const file = path.join(__dirname, 'manifests-in-memory.ts');
  const text = documents.map(document => {
    const module = TYPES[document.apiVersion];
    assert.ok(module, `${document.apiVersion} is no known API`);
    return `export const _: import('kubernetes-types/${module}').${document.kind} = ${JSON.stringify(document, null, 2)};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  const source = text.map((line, index) => line.replace('const _', `const _${index}`)).join('\n');
  host.fileExists = name => path.normalize(name) === file || fileExists(name);
  host.readFile = name => (path.normalize(name) === file ? source : readFile(name));
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const routes = manifests().filter(({ kind }) => kind === 'HTTPRoute');
/** Without the routes, for which the API has no types, and with what can take their place. */
const all = [
  ...manifests().filter(({ kind }) => kind !== 'HTTPRoute'),
  ...documentsOf('deploy/kubernetes/ingress.yaml'),
];
function manifest(kind: string, name?: string): Manifest {
  const found = all.find(document => document.kind === kind && (!name || document.metadata.name === name));
  assert.ok(found, kind);
  return found;
}
const deployment = manifest('Deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const job = manifest('Job');
const [migration] = job.spec.template.spec.containers;
const config = manifest('ConfigMap').data!;

interface IncomingRule {
  from: { namespaceSelector: { matchLabels: Record<string, string> } }[];
  ports: { port: string }[];
}

/** The parts of an HTTPRoute that are used: the Gateway API has no types. */
const route = z.strictObject({
  apiVersion: z.literal('gateway.networking.k8s.io/v1'),
  kind: z.literal('HTTPRoute'),
  metadata: z.strictObject({ name: z.string() }),
  spec: z.strictObject({
    parentRefs: z.array(z.strictObject({ name: z.string(), namespace: z.string(), sectionName: z.string() })),
    hostnames: z.array(z.hostname()),
    rules: z.array(
      z.strictObject({
        matches: z
          .array(
            z.strictObject({
              path: z.strictObject({
                type: z.enum(['Exact', 'PathPrefix']),
                value: z.string().startsWith('/'),
              }),
            }),
          )
          .optional(),
        filters: z
          .array(
            z.strictObject({
              type: z.literal('RequestRedirect'),
              requestRedirect: z.strictObject({
                scheme: z.enum(['http', 'https']),
                statusCode: z.literal([301, 302]),
              }),
            }),
          )
          .optional(),
        timeouts: z.strictObject({ request: z.string().regex(/^\d+(?:h|m|s|ms)$/) }).optional(),
        backendRefs: z.array(z.strictObject({ name: z.string(), port: z.number() })).optional(),
      }),
    ),
  }),
});

describe('deploy kubernetes', () => {
  test('every manifest has only fields of the API, and a mistake is found', () => {
    assert.equal(all.length, 11);
    assert.deepEqual(mistakes(all), []);

    const spoilt = (kind: string, spoil: (document: Manifest) => void) => {
      const document = structuredClone(manifest(kind));
      spoil(document);
      return document;
    };
    const found = mistakes([
      spoilt('Deployment', ({ spec }) => (spec.template.spec.containers[0].imagePullPolice = 'Always')),
      spoilt('Deployment', ({ spec }) => (spec.template.spec.containers[0].livenessProbe.initalDelay = 3)),
      spoilt('Deployment', ({ spec }) => delete spec.selector),
      spoilt('Service', ({ spec }) => (spec.ports[0].port = '80')),
      spoilt('PodDisruptionBudget', ({ spec }) => (spec.maxUnavailble = 1)),
      spoilt('HorizontalPodAutoscaler', ({ spec }) => delete spec.maxReplicas),
      spoilt('Job', ({ spec }) => (spec.backofLimit = 3)),
      spoilt('NetworkPolicy', ({ spec }) => (spec.egress[0].to[0].podSelectors = {})),
      spoilt('Ingress', ({ spec }) => (spec.rules[0].http.paths[0].backend.serviceName = 'crema')),
    ]);
    const expected = [
      'imagePullPolice',
      'initalDelay',
      "'selector' is missing",
      "'string' is not assignable to type 'number'",
      ...['maxUnavailble', "'maxReplicas' is missing", 'backofLimit', 'podSelectors', 'serviceName'],
    ];
    assert.equal(found.length, expected.length, found.join('\n'));
    for (const [index, text] of expected.entries()) assert.ok(found[index]?.includes(text), found[index]);
  });

  test('kustomization.yaml lists every file, and sets the image of the deployment', () => {
    const { resources, images, namespace, configMapGenerator, ...rest } = parseFile(
      'deploy/kubernetes/kustomization.yaml',
    ) as {
      resources: string[];
      images: { name: string }[];
      namespace: string;
      configMapGenerator: { envs: string[] }[];
    };
    assert.deepEqual(Object.keys(rest), ['apiVersion', 'kind']);
    const files = fs.readdirSync(path.join(root, 'deploy/kubernetes'));
    // One of ingress.yaml and gateway.yaml is used.
    const generated = configMapGenerator.flatMap(({ envs }) => envs);
    const listed = [...resources, ...generated, 'ingress.yaml', 'kustomization.yaml'];
    assert.deepEqual(listed.sort(), files.sort());
    assert.deepEqual(each(images, 'name'), [container.image]);
    assert.equal(migration.image, container.image);
    assert.equal(manifest('Namespace').metadata.name, namespace);
  });

  test('selectors, references and ports name existing objects', () => {
    const labels = deployment.spec.template.metadata.labels;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      manifest('Service').spec.selector,
      manifest('PodDisruptionBudget').spec.selector.matchLabels,
      pod.topologySpreadConstraints[0].labelSelector.matchLabels,
    ]) {
      assert.deepEqual(selector, labels);
    }
    const { apiVersion, kind, name } = manifest('HorizontalPodAutoscaler').spec.scaleTargetRef;
    assert.deepEqual(
      [apiVersion, kind, name],
      [deployment.apiVersion, deployment.kind, deployment.metadata.name],
    );
    assert.equal(deployment.spec.replicas, undefined);

    const [port] = container.ports;
    assert.equal(String(port.containerPort), manifest('ConfigMap').data?.PORT);
    const [servicePort] = manifest('Service').spec.ports;
    assert.equal(servicePort.targetPort, port.name);
    const addresses = manifest('Service', 'crema-metrics').spec;
    assert.deepEqual([addresses.selector, addresses.clusterIP], [labels, 'None']);
    assert.equal(addresses.ports[0].targetPort, container.ports[1].name);
    const { service } = manifest('Ingress').spec.rules[0].http.paths[0].backend;
    assert.deepEqual(service, { name: manifest('Service').metadata.name, port: { name: servicePort.name } });
    assert.equal(container.envFrom[0].configMapRef.name, manifest('ConfigMap').metadata.name);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(container[probe].httpGet.port, port.name);
  });

  test('pods meet the restricted Pod Security Standard, and write to no file', () => {
    assert.equal(manifest('Namespace').metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted');
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.ok(pod.securityContext.runAsUser > 0);
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
    for (const { spec } of [deployment.spec.template, job.spec.template]) {
      for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'volumes', 'initContainers'])
        assert.equal(spec[name], undefined);
      assert.deepEqual(spec.securityContext, pod.securityContext);
      assert.equal(spec.automountServiceAccountToken, false);
      assert.deepEqual(spec.containers[0].securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(spec.containers[0].resources.requests.cpu && spec.containers[0].resources.limits.memory);
    }
  });

  test('pods can be evicted and replaced one at a time while others serve', () => {
    const { minReplicas, maxReplicas } = manifest('HorizontalPodAutoscaler').spec;
    assert.ok(minReplicas > manifest('PodDisruptionBudget').spec.maxUnavailable);
    assert.ok(maxReplicas > minReplicas);
    assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
  });

  test('all pods together, and those that are stopping, have fewer connections than PostgreSQL allows', () => {
    const { maxReplicas } = manifest('HorizontalPodAutoscaler').spec as { maxReplicas: number };
    const { maxSurge } = deployment.spec.strategy.rollingUpdate as { maxSurge: number };
    // Its defaults: max_connections 100, superuser_reserved_connections 3.
    const allowed = 97;
    const pods = 2 * maxReplicas + maxSurge;
    assert.ok(pods * Number(config.DATABASE_CONNECTIONS) + Number(job.spec.backoffLimit) <= allowed);
  });

  test('a job migrates with the program of the image, and the pods wait for it', () => {
    assert.equal(config.MIGRATIONS, 'wait');
    assert.match(read('examples/showcase/src/config.ts'), /choice\('MIGRATIONS', 'run', 'wait'\)/);
    const { periodSeconds, failureThreshold } = container.startupProbe;
    assert.ok(periodSeconds * failureThreshold > job.spec.activeDeadlineSeconds);
    assert.ok(deployment.spec.progressDeadlineSeconds > periodSeconds * failureThreshold);
    const program = migration.command.at(-1).replace('/dist/', '/src/').replace(/js$/, 'ts');
    assert.ok(fs.existsSync(path.join(root, program)), program);
    // Otherwise the service would send it requests.
    assert.notDeepEqual(job.spec.template.metadata.labels, manifest('Service').spec.selector);
  });

  test('policies: only the ingress controller connects to the pods, and they to DNS and the stores only', () => {
    const outgoing = manifest('NetworkPolicy', 'crema-outgoing').spec;
    assert.deepEqual([outgoing.podSelector, outgoing.policyTypes], [{}, ['Ingress', 'Egress']]);
    assert.equal(outgoing.ingress, undefined);
    const ports = outgoing.egress.flatMap((rule: { ports: { port: number }[] }) => rule.ports);
    assert.deepEqual([...new Set(ports.map(({ port }: { port: number }) => port))], [53, 5432, 6379]);
    const incoming = manifest('NetworkPolicy', 'crema-incoming').spec;
    assert.deepEqual(incoming.podSelector.matchLabels, deployment.spec.template.metadata.labels);
    const clients = incoming.ingress.map(({ from, ports: [only] }: IncomingRule) => [
      from[0]!.namespaceSelector.matchLabels['kubernetes.io/metadata.name'],
      only!.port,
    ]);
    assert.deepEqual(clients, [
      ['gateways', 'http'],
      ['monitoring', 'metrics'],
    ]);
    // NodeLocal DNSCache is on the node, and in no namespace.
    assert.deepEqual(outgoing.egress[0].to[1], { ipBlock: { cidr: '169.254.20.10/32' } });
  });

  test('gateway.yaml leads the same host to the same service as ingress.yaml, and a mistake in it is found', () => {
    const parsed = routes.map(document => route.parse(document));
    const spoilt = structuredClone(routes[0]!);
    spoilt.spec.rules[0].backendRef = spoilt.spec.rules[0].backendRefs;
    assert.equal(route.safeParse(spoilt).success, false);
    const [{ host }] = manifest('Ingress').spec.rules;
    const [servicePort] = manifest('Service').spec.ports;
    for (const { spec } of parsed) assert.deepEqual(spec.hostnames, [host]);
    const backends = parsed.flatMap(({ spec }) => spec.rules.flatMap(({ backendRefs = [] }) => backendRefs));
    const service = { name: manifest('Service').metadata.name, port: servicePort.port as number };
    assert.deepEqual(backends, [service, service, service]);
  });
});
