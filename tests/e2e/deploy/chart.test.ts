import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { productSchema } from '../../../cli/configuration.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { readLayers } from '../../../gateway/config/read-layers.ts';
import { CHART, KUBERNETES, findHelm, type Manifest, renderChart, runHelm } from '../../support/process/helm.ts';
import { schemaViolations, unknownFields } from './check-manifests.ts';

const found = findHelm();
if (found === undefined && process.env['CI'] === 'true') throw new Error('Install Helm. With CI=true these tests must run.');
if (found === undefined) process.stderr.write('\nNOT TESTED: there is no Helm for this machine.\n');
const helm = found ?? 'helm';
const describeWithHelm = found === undefined ? describe.skip : describe;

const VALUES = readdirSync(join(CHART, 'ci'));
const SLOW = 60_000;

function objectOf(manifests: readonly Manifest[], kind: string, suffix = ''): Manifest {
  const manifest = manifests.find((one) => one.kind === kind && one.metadata.name.endsWith(suffix));
  if (manifest === undefined) throw new Error(`There is no ${kind} with a name that ends with "${suffix}".`);
  return manifest;
}

describeWithHelm('the chart, given values that are wrong,', () => {
  const failure = (...args: readonly string[]) => runHelm(helm, ['template', 'shop', CHART, '--kube-version', KUBERNETES, ...args]);
  const minimal = ['--values', join(CHART, 'ci/minimal-values.yaml')];

  it('is not rendered without trusted proxies and without TLS, and names both', () => {
    expect(failure()).toMatchObject({ output: expect.stringMatching(/Set config\.server\.trustedProxies .* or config\.server\.tls/) });
  });

  it.each([
    ['an unknown value', 'replicas=3', /replicas/],
    ['a secret without its source', 'secrets.variables.REDIS_URL=redis-url', /existingSecret/],
    ['a shutdown that is not a number', 'shutdown.drainSeconds=10s', /drainSeconds/],
  ])('is not rendered with %s', (_title, value, message) => {
    const { code, output } = failure(...minimal, '--set', value);
    expect(code).not.toBe(0);
    expect(output).toMatch(message);
  });
});

describeWithHelm.each(VALUES)('the chart with %s', (values) => {
  const manifests = found === undefined ? [] : renderChart(helm, values);

  it('passes `helm lint --strict`', () => {
    expect(runHelm(helm, ['lint', '--strict', CHART, '--values', join(CHART, 'ci', values)])).toMatchObject({ code: 0 });
  });

  it(
    'has only objects that Kubernetes accepts, without unknown fields',
    async () => {
      expect(manifests.length).toBeGreaterThan(4);
      expect(manifests.flatMap(schemaViolations)).toEqual([]);
      expect(await unknownFields(manifests)).toBe('');
    },
    SLOW,
  );

  it('writes a configuration that the gateway accepts', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatefold-chart-'));
    try {
      const data = objectOf(manifests, 'ConfigMap')['data'] as Readonly<Record<string, string>>;
      const file = join(directory, 'gatefold.yaml');
      writeFileSync(file, data['gatefold.yaml'] ?? '');
      const { config } = await readLayers({
        schema: productSchema,
        file,
        defaultFile: 'gatefold.yaml',
        env: {},
        profileDefault: 'production',
      });
      expect(config.server).toMatchObject({ port: 4_000, internalPort: 4_001, drainTimeoutMs: 20_000, shutdown: { lameDuckMs: 5_000 } });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('the checks of manifests', () => {
  const service: Manifest = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80, targetPrt: 1 }] } };

  it(
    'report a wrong type, a missing field and an unknown field',
    async () => {
      expect(schemaViolations({ ...service, spec: { ports: [{ port: 'http' }] } }).join()).toMatch(/port/);
      expect(schemaViolations({ ...service, spec: { ports: [{}] } }).join()).toMatch(/port/);
      expect(schemaViolations({ ...service, kind: 'Sevice' })).toEqual(['There is no schema for v1 Sevice.']);
      expect(await unknownFields([service])).toMatch(/targetPrt/);
    },
    SLOW,
  );
});

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
  readonly volumes: readonly object[];
  readonly containers: readonly [Readonly<Record<string, unknown>>];
}

function podOf(manifests: readonly Manifest[]): { readonly annotations: Readonly<Record<string, string>>; readonly spec: PodSpec } {
  const { template } = objectOf(manifests, 'Deployment')['spec'] as {
    readonly template: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> }; readonly spec: PodSpec };
  };
  return { annotations: template.metadata.annotations, spec: template.spec };
}

describeWithHelm('a gateway of the chart', () => {
  const manifests = found === undefined ? [] : renderChart(helm, 'full-values.yaml');
  const pod = found === undefined ? undefined : podOf(manifests);
  const [container] = pod?.spec.containers ?? [];

  it('runs as a numeric user without privileges, token or writable root', () => {
    expect(pod?.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container?.['securityContext']).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(objectOf(manifests, 'ServiceAccount')).toMatchObject({ automountServiceAccountToken: false });
  });

  it('is probed on the internal port, also while it starts', () => {
    const probe = (path: string) => ({ httpGet: { path, port: 'internal', scheme: 'HTTP' } });
    expect(container).toMatchObject({
      startupProbe: probe('/health/ready'),
      livenessProbe: probe('/health/live'),
      readinessProbe: probe('/health/ready'),
    });
    const overTls = renderChart(helm, 'tls-values.yaml');
    expect(podOf(overTls).spec.containers[0]).toMatchObject({ readinessProbe: { httpGet: { scheme: 'HTTPS' } } });
  });

  it('has more time to stop than all phases of its shutdown together', () => {
    const data = objectOf(manifests, 'ConfigMap')['data'] as Readonly<Record<string, string>>;
    const { server } = parse(data['gatefold.yaml'] ?? '') as {
      readonly server: { readonly drainTimeoutMs: number; readonly shutdown: { readonly lameDuckMs: number } };
    };
    const lifecycle = container?.['lifecycle'] as { readonly preStop: { readonly sleep: { readonly seconds: number } } };
    const neededSeconds = lifecycle.preStop.sleep.seconds + (server.shutdown.lameDuckMs + server.drainTimeoutMs) / 1_000 + 5;
    expect(pod?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(neededSeconds);
  });

  it('reads secrets from files, and no variable contains one', () => {
    expect(container?.['env']).toEqual([
      { name: 'SUBGRAPH_PRODUCTS_URL', value: 'http://products:4001/graphql' },
      { name: 'GATEFOLD_IDENTITY_SECRET_FILE', value: '/run/secrets/gatefold/identity-secret' },
      { name: 'REDIS_URL_FILE', value: '/run/secrets/gatefold/redis-url' },
    ]);
    expect(pod?.spec.volumes).toContainEqual({ name: 'secrets', secret: { secretName: 'gatefold', defaultMode: 0o440 } });
  });

  it('is replaced when its configuration changes, and only then', () => {
    const checksum = (...more: readonly string[]) => podOf(renderChart(helm, 'full-values.yaml', more)).annotations['checksum/config'];
    expect(checksum()).toBe(pod?.annotations['checksum/config']);
    expect(checksum('--set', 'autoscaling.maxReplicas=9')).toBe(checksum());
    expect(checksum('--set', 'config.limits.maxCost=1')).not.toBe(checksum());
  });

  it('is spread over zones and hosts, scaled by event loop and CPU, and protected by a budget', () => {
    expect(pod?.spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(objectOf(manifests, 'HorizontalPodAutoscaler')).toMatchObject({
      spec: {
        minReplicas: 3,
        metrics: [
          { type: 'Pods', pods: { metric: { name: 'nodejs_eventloop_utilization_ratio' }, target: { averageValue: '700m' } } },
          { type: 'Resource', resource: { name: 'cpu' } },
        ],
      },
    });
    expect(objectOf(manifests, 'PodDisruptionBudget')).toMatchObject({
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
    expect(objectOf(manifests, 'Deployment')['spec']).not.toHaveProperty('replicas');
  });

  it('accepts connections to the internal port only from listed peers and the test', () => {
    const { ingress } = objectOf(manifests, 'NetworkPolicy')['spec'] as { readonly ingress: readonly object[] };
    const peers = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
    expect(ingress).toEqual([
      { ports: [{ port: 'http' }], from: [peers('ingress')] },
      {
        ports: [{ port: 'internal' }],
        from: [{ podSelector: { matchLabels: { 'gatefold.dev/test': 'shop-gateway' } } }, peers('monitoring')],
      },
    ]);
    expect(objectOf(manifests, 'Service', '-internal')).toMatchObject({ spec: { clusterIP: 'None' } });
  });

  it('has the user and the ports of the image', () => {
    const dockerfile = readFileSync(join(packageRoot, 'Dockerfile'), 'utf8');
    expect(dockerfile).toContain('USER 1000:1000');
    expect(dockerfile).toContain('EXPOSE 4000 4001');
  });
});
