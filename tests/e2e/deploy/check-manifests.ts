import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Pod, Service, ServiceAccount } from 'kubernetes-models/v1';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { Manifest } from '../../support/process/helm.ts';

const CORE = { ConfigMap, Pod, Service, ServiceAccount };
const GROUPS: Readonly<Record<string, Readonly<Record<string, new (data: never) => { validate(): void }>>>> = {
  v1: CORE,
  'apps/v1': { Deployment },
  'autoscaling/v2': { HorizontalPodAutoscaler },
  'networking.k8s.io/v1': { Ingress, NetworkPolicy },
  'policy/v1': { PodDisruptionBudget },
  'gateway.networking.k8s.io/v1': { HTTPRoute },
  'monitoring.coreos.com/v1': { PrometheusRule, ServiceMonitor },
};

/** Packages with the types of groups that are not part of Kubernetes. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
};

/** Lists violations of the schema of Kubernetes: missing fields, and values with another type or format. */
export function schemaViolations(manifest: Manifest): readonly string[] {
  const { apiVersion, kind, metadata } = manifest;
  const model = GROUPS[apiVersion]?.[kind];
  if (model === undefined) return [`There is no schema for ${apiVersion} ${kind}.`];
  try {
    new model(manifest as never).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${(error as Error).message}`];
  }
}

/** Lists fields that Kubernetes does not know. The schemas permit them, so TypeScript checks the manifests as object literals. */
export async function unknownFields(manifests: readonly Manifest[]): Promise<string> {
  const directory = await mkdtemp(join(packageRoot, 'node_modules/.cache-manifests-'));
  try {
    const lines = manifests.map((manifest, index) => {
      const { apiVersion, kind } = manifest;
      const type = `import('${PACKAGES[apiVersion] ?? 'kubernetes-models'}/${apiVersion}').I${kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
    });
    await writeFile(join(directory, 'manifests.ts'), `${lines.join('\n')}\n`);
    const options = {
      extends: join(packageRoot, 'tsconfig.json'),
      compilerOptions: { noEmit: true, types: [] },
      files: ['manifests.ts'],
      include: [],
    };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(options));
    return await promisify(execFile)(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', directory]).then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}
