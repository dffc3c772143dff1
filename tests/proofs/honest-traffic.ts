/**
 * Sends 1,000 random operations from one address to a gateway with production defaults, in front of 100 random subgraphs without
 * `@listSize`. The operations are within all limits except the cost limit, and none may be rejected. The same operations are then sent to a
 * gateway that enforces the default cost limit and the default budget of anonymous callers, which must reject some: otherwise the
 * operations would prove nothing.
 *
 * Duration: about 2 minutes
 *
 * - `HONEST_SEED`: seed of the subgraphs and the operations. Random by default, and always printed.
 * - `HONEST_OPERATIONS`: number of operations. Default 1,000.
 */
import { createGateway, type GatewayConfigInput } from '../../gateway/index.ts';
import { resolveGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { createAdmission } from '../../gateway/operation/limits/admit-document.ts';
import { OperationRejected } from '../../gateway/operation/operation-rejected.ts';
import { createLogger } from '../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { generateOperation } from '../differential/generate-operation.ts';
import { createRandom } from '../support/random/random.ts';
import { generateLargeGraph } from './honest-traffic/generate-large-graph.ts';
import { startMockedSubgraphs } from './honest-traffic/start-mocked-subgraphs.ts';

const SUBGRAPHS = 100;
const CLIENTS = 8;
const seed = Number(process.env['HONEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const count = Number(process.env['HONEST_OPERATIONS'] ?? 1_000);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

print(`HONEST_SEED=${seed}`);
const generated = generateLargeGraph(SUBGRAPHS, seed);
await using subgraphs = await startMockedSubgraphs(generated);
const composition = composeSubgraphs(
  generated.map(({ name, sdl }) => ({ name, url: subgraphs.urlOf(name), files: [{ path: `${name}.graphql`, text: sdl }] })),
);
if (composition.errors !== undefined) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
const { supergraphSdl } = composition;
const { schema, costRules } = loadSupergraph(supergraphSdl);
if (costRules.listSizes.size + costRules.weights.size > 0) throw new Error('The graph uses @listSize or @cost.');
const operations = generateOperations();
print(`${SUBGRAPHS} subgraphs, ${count} operations`);

const byDefault = await sendAll('production defaults', {});
const enforced = await sendAll('enforced cost limit and anonymous budget', { limits: { mode: 'enforce' }, budget: { mode: 'enforce' } });
const isProven = byDefault.rejected === 0 && enforced.rejected > 0;
print(isProven ? 'passed' : `FAILED: ${byDefault.rejected === 0 ? 'the operations exceed no default' : 'operations were rejected'}`);
process.exitCode = isProven ? 0 : 1;

interface Body {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Generates operations within the limits of documents and of page sizes. */
function generateOperations(): readonly Body[] {
  const { limits, graphql } = resolveGatewayConfig({});
  const admit = createAdmission({ maxTokens: graphql.maxTokens, limits });
  const random = createRandom(seed);
  const bodies: Body[] = [];
  while (bodies.length < count) {
    const { text: query, variables } = generateOperation({
      schema,
      seed: random.below(1_000_000_000),
      maxDepth: random.pick([3, 6, 9]),
      maxFields: random.pick([5, 15, 40, 80]),
      valueFor: (coordinate, values) =>
        /\((?:first|limit|size|pageSize):\)$/.test(coordinate) ? values.pick([1, 10, 20, 50, limits.maxPageSize]) : undefined,
    });
    if (isAdmitted(() => admit(query))) bodies.push({ query, variables });
  }
  return bodies;
}

function isAdmitted(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof OperationRejected) return false;
    throw error;
  }
}

/** Sends all operations to a new gateway. Every response other than a complete result counts as rejected. */
async function sendAll(title: string, config: Pick<GatewayConfigInput, 'limits' | 'budget'>): Promise<{ readonly rejected: number }> {
  const logger = createLogger({ level: 'error' });
  await using gateway = await createGateway(
    { ...config, profile: 'production', server: { port: 0, internalPort: 0 }, supergraph: { sdl: supergraphSdl } },
    { logger },
  );
  const { url } = await gateway.listen();
  const results = new Map<string, number>();
  const startedAt = performance.now();
  let next = 0;
  let example: string | undefined;

  async function runClient(): Promise<void> {
    for (let body = operations[next]; body !== undefined; body = operations[next]) {
      next += 1;
      const result = await send(url, body);
      results.set(result.code, (results.get(result.code) ?? 0) + 1);
      if (result.code !== 'served') example ??= result.message;
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, runClient));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const served = results.get('served') ?? 0;
  print(`${title}: ${[...results].map(([code, number]) => `${number} ${code}`).join(', ')} in ${seconds} s`);
  if (example !== undefined) print(`  for example: ${example}`);
  return { rejected: operations.length - served };
}

async function send(url: string, body: Body): Promise<{ readonly code: string; readonly message?: string | undefined }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { errors } = (await response.json()) as {
    readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  };
  if (response.status === 200 && errors === undefined) return { code: 'served' };
  return { code: errors?.[0]?.extensions?.code ?? `status ${response.status}`, message: errors?.[0]?.message };
}
