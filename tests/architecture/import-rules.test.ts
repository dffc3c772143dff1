import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY_LAYERS, REST_LAYERS } from '../../cli/tooling/layers.js';
import { packageRoot } from '../../gateway/platform/package-root.ts';

/** One forbidden import for every rule: `from` imports `to`. */
const VIOLATIONS: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['layers-platform', 'gateway/platform/planted.ts', 'gateway/config/sections.ts'],
  ['layers-subgraph-identity', 'gateway/subgraph-identity/planted.ts', 'gateway/config/sections.ts'],
  ['layers-config', 'gateway/config/planted.ts', 'gateway/operation/operation-rejected.ts'],
  ['layers-hooks', 'gateway/hooks/planted.ts', 'gateway/redis/redis.ts'],
  ['layers-redis', 'gateway/redis/planted.ts', 'gateway/persisted/documents.ts'],
  ['layers-directives', 'gateway/directives/planted.ts', 'gateway/supergraph/load-supergraph.ts'],
  ['layers-connectors', 'gateway/connectors/planted.ts', 'gateway/supergraph/load-supergraph.ts'],
  ['layers-connector-client', 'gateway/connector-client/planted.ts', 'gateway/execution/compile-operation.ts'],
  ['layers-supergraph', 'gateway/supergraph/planted.ts', 'gateway/operation/operation-rejected.ts'],
  ['layers-operation', 'gateway/operation/planted.ts', 'gateway/planning/query-planner.ts'],
  ['layers-planning', 'gateway/planning/planted.ts', 'gateway/subgraph-client/create-subgraph-client.ts'],
  ['layers-subgraph-client', 'gateway/subgraph-client/planted.ts', 'gateway/planning/query-planner.ts'],
  ['layers-execution', 'gateway/execution/planted.ts', 'gateway/auth/authenticator.ts'],
  ['layers-persisted', 'gateway/persisted/planted.ts', 'gateway/cache/policy.ts'],
  ['layers-auth', 'gateway/auth/planted.ts', 'gateway/execution/execute.ts'],
  ['layers-authorization', 'gateway/authorization/planted.ts', 'gateway/budget/budgets.ts'],
  ['layers-budget', 'gateway/budget/planted.ts', 'gateway/pipeline/pipeline.ts'],
  ['layers-idempotency', 'gateway/idempotency/planted.ts', 'gateway/budget/bucket.ts'],
  ['layers-cache', 'gateway/cache/planted.ts', 'gateway/persisted/document-store.ts'],
  ['layers-generation', 'gateway/generation/planted.ts', 'gateway/pipeline/pipeline.ts'],
  ['layers-pipeline', 'gateway/pipeline/planted.ts', 'gateway/http/graphql/http-response.ts'],
  ['layers-http', 'gateway/http/planted.ts', 'gateway/composition/create-gateway.ts'],
  ['layers-composition', 'gateway/composition/planted.ts', 'gateway/apollo-server/create-apollo-gateway.ts'],
  ['layers-telemetry', 'gateway/telemetry/planted.ts', 'gateway/composition/create-gateway.ts'],
  ['layers-subscriptions', 'gateway/subscriptions/planted.ts', 'gateway/http/graphql/http-response.ts'],
  ['interface-below-the-drop-in', 'gateway/index.ts', 'gateway/apollo-server/create-apollo-gateway.ts'],
  ['gateway-alone', 'gateway/http/planted-rest.ts', 'rest-facade/index.ts'],
  ['rest-facade-by-the-interface', 'rest-facade/planted.ts', 'gateway/execution/execute.ts'],
  ['subgraphs-by-the-platform', 'subgraphs/users/planted.ts', 'gateway/operation/operation-rejected.ts'],
  ['subgraphs-alone', 'subgraphs/users/planted-neighbour.ts', 'subgraphs/posts/tables.ts'],
  ['kit-below-subgraphs', 'subgraphs/kit/planted.ts', 'subgraphs/posts/tables.ts'],
  ['cli-by-the-interface', 'cli/planted.ts', 'subgraphs/main.ts'],
  ['tests-last', 'cli/planted-test.ts', 'tests/support/http-client.ts'],
  ['pure-layers', 'gateway/execution/planted-clock.ts', 'gateway/platform/clock.ts'],
  ['rest-layers-compile', 'rest-facade/compile/planted.ts', 'rest-facade/request/request-context.ts'],
  ['rest-layers-executors', 'rest-facade/executors/planted.ts', 'rest-facade/compile/rest-route.ts'],
  ['rest-layers-request', 'rest-facade/request/planted.ts', 'rest-facade/response/response-headers.ts'],
  ['rest-layers-scaffold', 'rest-facade/scaffold/planted.ts', 'rest-facade/request/request-context.ts'],
  ['rest-layers-errors', 'rest-facade/errors/planted.ts', 'rest-facade/response/response-headers.ts'],
  ['rest-layers-response', 'rest-facade/response/planted.ts', 'rest-facade/http/rest-handler.ts'],
  ['rest-layers-openapi', 'rest-facade/openapi/planted.ts', 'rest-facade/openapi/http/docs-page.ts'],
  ['rest-layers-openapi-http', 'rest-facade/openapi/http/planted.ts', 'rest-facade/http/rest-handler.ts'],
  ['rest-layers-http', 'rest-facade/http/planted.ts', 'rest-facade/create-rest-facade.ts'],
  ['rest-pure-compilers', 'rest-facade/compile/planted-clock.ts', 'gateway/platform/clock.ts'],
  ['rest-pure-compilers', 'rest-facade/openapi/planted-http.ts', 'gateway/platform/http/response/send-response.ts'],
  ['rest-pure-stages', 'rest-facade/request/planted-clock.ts', 'gateway/platform/clock.ts'],
  ['rest-pure-stages', 'rest-facade/response/planted-timers.ts', 'node:timers/promises'],
  ['rest-http-at-the-edge', 'rest-facade/response/planted-http.ts', 'gateway/platform/http/request/read-body.ts'],
  ['rest-http-at-the-edge', 'rest-facade/request/planted-http.ts', 'node:http'],
  ['rest-files-at-the-edge', 'rest-facade/http/planted-fs.ts', 'node:fs'],
  ['threads-at-the-edge', 'gateway/generation/planted-thread.ts', 'node:worker_threads'],
  ['planner-below-its-thread', 'gateway/planning/planted-host.ts', 'gateway/planning/worker/planner-host.ts'],
  ['http-at-the-edge', 'gateway/execution/planted-http.ts', 'node:http'],
  ['http-at-the-edge', 'gateway/execution/planted-http-values.ts', 'gateway/platform/http/node-http.ts'],
  ['websocket-at-the-edge', 'gateway/execution/planted-ws.ts', 'ws'],
  ['redis-at-the-edge', 'gateway/execution/planted-redis.ts', 'ioredis'],
  ['no-cycles', 'gateway/platform/circle-a.ts', 'gateway/platform/circle-b.ts'],
  ['resolvable', 'gateway/platform/planted-nowhere.ts', 'gateway/platform/does-not-exist.ts'],
  ['declared-dependencies', 'gateway/platform/planted-dev.ts', 'jest'],
  ['declared-dependencies', 'cli/planted-undeclared.ts', 'dataloader'],
  ['declared-dependencies-of-subgraphs', 'subgraphs/kit/planted-undeclared.ts', 'dataloader'],
];

/** A type import is a dependency like a value import. */
const TYPE_VIOLATION = { rule: 'layers-platform', from: 'gateway/platform/planted-type.ts' };

/** Similar imports that are allowed. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['gateway/http/allowed.ts', 'gateway/subscriptions/session.ts'],
  ['gateway/http/allowed-http.ts', 'gateway/platform/http/node-http.ts'],
  ['gateway/http/allowed-https.ts', 'node:https'],
  ['gateway/planning/worker/allowed.ts', 'node:worker_threads'],
  ['gateway/planning/worker/allowed-planner.ts', 'gateway/planning/query-planner.ts'],
  ['gateway/apollo-server/allowed.ts', 'gateway/composition/create-gateway.ts'],
  ['rest-facade/allowed.ts', 'gateway/index.ts'],
  ['rest-facade/http/allowed.ts', 'rest-facade/compile/rest-route.ts'],
  ['rest-facade/openapi/allowed.ts', 'rest-facade/response/response-headers.ts'],
  ['rest-facade/response/allowed.ts', 'gateway/platform/http/response/send-response.ts'],
  ['rest-facade/read-documents.ts', 'node:fs'],
  ['subgraphs/users/allowed.ts', 'subgraphs/kit/loaders.ts'],
  ['subgraphs/users/allowed-platform.ts', 'gateway/platform/errors.ts'],
  ['subgraphs/users/allowed-identity.ts', 'gateway/subgraph-identity/identity-verifier.ts'],
  ['subgraphs/main.ts', 'subgraphs/posts/tables.ts'],
  ['subgraphs/kit/allowed-dev.ts', 'jest'],
  ['gateway/redis/allowed-peer.ts', 'ioredis'],
  ['subgraphs/kit/events/allowed-peer.ts', 'ioredis'],
  ['cli/allowed.ts', 'rest-facade/index.ts'],
  ['tests/allowed.ts', 'gateway/execution/execute.ts'],
];

const PACKAGES = ['ws', 'ioredis', 'jest', 'dataloader'];

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string; readonly to: string }[];
  };
}

let directory: string;
let found: readonly { readonly rule: string; readonly from: string }[];
let ruleNames: readonly string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-imports-'));
  const pairs = [...VIOLATIONS.map(([, from, to]) => [from, to] as const), ...ALLOWED];
  const targets = pairs.flatMap(([, to]) => (to.includes('/') && !to.includes('does-not-exist') ? [to] : []));
  for (const target of new Set(targets)) await plant(target, 'export {};\n');
  for (const [from, to] of pairs) await plant(from, importOf(from, to));
  await plant(TYPE_VIOLATION.from, "import type { Code } from '../operation/operation-rejected.ts';\nexport type Kept = Code;\n");
  await plant('gateway/platform/circle-b.ts', `import './circle-a.ts';\n`);
  await plant(
    'package.json',
    JSON.stringify({
      type: 'module',
      dependencies: { ws: '1.0.0' },
      peerDependencies: { ioredis: '1.0.0' },
      peerDependenciesMeta: { ioredis: { optional: true } },
      devDependencies: { ioredis: '1.0.0', jest: '1.0.0' },
    }),
  );
  for (const name of PACKAGES) {
    await plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await plant(`node_modules/${name}/index.js`, '');
  }
  for (const file of ['.dependency-cruiser.js', 'cli/tooling/layers.js']) await cp(join(packageRoot, file), join(directory, file));
  found = await cruise();
  const config = (await import(join(packageRoot, '.dependency-cruiser.js'))) as { default: { forbidden: readonly { name: string }[] } };
  ruleNames = config.default.forbidden.map(({ name }) => name);
});
afterAll(async () => rm(directory, { recursive: true }));

async function plant(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

function importOf(from: string, to: string): string {
  const specifier = to.includes('/') ? `${'../'.repeat(from.split('/').length - 1)}${to}` : to;
  return `import * as planted from '${specifier}';\nexport const kept = planted;\n`;
}

/** Runs the checker on the planted tree, as `npm run check` does. */
async function cruise(): Promise<readonly { readonly rule: string; readonly from: string }[]> {
  const checker = join(packageRoot, 'node_modules/.bin/depcruise');
  const folders = ['gateway', 'rest-facade', 'subgraphs', 'cli', 'tests'];
  const args = ['--config', '.dependency-cruiser.js', '--output-type', 'json', ...folders];
  const { stdout } = await promisify(execFile)(checker, args, {
    cwd: directory,
    maxBuffer: 64 * 1_048_576,
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((failure: { readonly stdout: string }) => failure);
  const report = JSON.parse(stdout) as Report;
  return report.summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

describe('the import rules', () => {
  it.each(VIOLATIONS)('rule %s catches the import in %s of %s', (rule, from) => {
    expect(found).toContainEqual({ rule, from });
  });

  it('catch a forbidden import of a type', () => {
    expect(found).toContainEqual(TYPE_VIOLATION);
  });

  it('accept allowed imports', () => {
    const allowed = new Set(ALLOWED.map(([from]) => from));
    expect(found.filter(({ from }) => allowed.has(from))).toEqual([]);
  });

  it('have a planted violation for each rule', () => {
    expect([...new Set(VIOLATIONS.map(([rule]) => rule))].toSorted()).toEqual([...ruleNames].toSorted());
  });

  it.each([
    ['gateway', GATEWAY_LAYERS],
    ['rest-facade', REST_LAYERS],
  ])('list exactly the folders of %s as layers', async (part, layers) => {
    const entries = await readdir(join(packageRoot, part), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const listed = layers.flat().filter((layer) => !layer.includes('/'));
    expect(listed.toSorted()).toEqual(folders.toSorted());
  });
});
