/**
 * Measures the cost of hooks as CPU time per request. The pipeline serves one query from one subgraph in this process: without hooks, with
 * each hook alone, with all of them, and with an asynchronous one. The variants run in turn in each round, and the medians are reported. With
 * `--before <checkout>`, only the pipeline without hooks is measured, and compared with that of another checkout: other variants would
 * change how V8 optimizes their shared code. Ends with exit code 1 when its cost is more than 3 % higher.
 *
 * Duration: about 1 minute
 *
 * `npm run bench hooks [-- --before <checkout>]`
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Hooks } from '../gateway/index.ts';
import type * as Gatefold from '../gateway/index.ts';
import type { SubgraphExecutor } from '../gateway/supergraph/subgraph-executor.ts';
import { silentLogger } from '../gateway/platform/logger.ts';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';

/** Short slices, so that changes in the load of the machine affect all variants of a round. */
const REQUESTS = 2_000;
const ROUNDS = 40;
/** Maximum cost compared with the other checkout. */
const LARGEST_RATIO = 1.03;

const QUERY = '{ books { title author } }';
const RESPONSE = { data: { books: Array.from({ length: 5 }, (_, index) => ({ title: `Title ${index}`, author: `Author ${index}` })) } };

const NOTHING = (): void => {};
const VARIANTS: Readonly<Record<string, Hooks>> = {
  onRequest: { onRequest: NOTHING },
  onOperation: { onOperation: NOTHING },
  onPlan: { onPlan: NOTHING },
  onSubgraphRequest: { onSubgraphRequest: NOTHING },
  onSubgraphResponse: { onSubgraphResponse: NOTHING },
  onResponse: { onResponse: NOTHING },
  'all of these': {
    onRequest: NOTHING,
    onOperation: NOTHING,
    onPlan: NOTHING,
    onSubgraphRequest: NOTHING,
    onSubgraphResponse: NOTHING,
    onResponse: NOTHING,
  },
  'onRequest, asynchronous': { onRequest: async () => undefined },
  'onRequest, changes a header': { onRequest: () => ({ headers: { 'x-tenant': 'a' } }) },
  'onResponse, adds an extension': { onResponse: () => ({ extensions: { by: 'hook' } }) },
};

/** One gateway that is measured. */
interface Variant {
  readonly name: string;
  readonly gateway: Pick<Gatefold.Gateway, 'execute' | 'close'>;
  /** CPU time per request in each round. @unit microseconds */
  readonly costs: number[];
}

const composition = composeSubgraphs([
  {
    name: 'books',
    url: 'http://books',
    files: [{ path: 'books.graphql', text: 'type Query { books: [Book!] } type Book { title: String author: String }' }],
  },
]);
if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
const { supergraphSdl: sdl } = composition;

async function open(name: string, { createGateway }: Pick<typeof Gatefold, 'createGateway'>, hooks?: Hooks): Promise<Variant> {
  const executor: SubgraphExecutor = async () => RESPONSE;
  const gateway = await createGateway(
    { profile: 'dev', supergraph: { sdl }, budget: { mode: 'off' }, logging: { level: 'silent' } },
    {
      logger: silentLogger,
      subgraphExecutor: () => Object.assign(executor.bind(undefined), { [Symbol.asyncDispose]: async () => undefined }),
      ...(hooks === undefined ? {} : { hooks }),
    },
  );
  await gateway.load();
  return { name, gateway, costs: [] };
}

const client = new AbortController();
const { ANONYMOUS, createGateway } = await import('../gateway/index.ts');

async function measure({ gateway }: Variant, requests: number): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < requests; count += 1) {
    await gateway.execute({
      document: { text: QUERY },
      principal: ANONYMOUS,
      transport: 'graphql',
      headers: {},
      correlationId: 'bench',
      signal: client.signal,
    });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const checkoutAt = process.argv.indexOf('--before');
const checkout = checkoutAt === -1 ? undefined : process.argv[checkoutAt + 1];
const variants: Variant[] = [await open('no hooks', { createGateway })];
if (checkout !== undefined) {
  const other = (await import(pathToFileURL(resolve(checkout, 'gateway/index.ts')).href)) as typeof Gatefold;
  variants.push(await open('no hooks, before', other));
}
const measured = checkout === undefined ? Object.entries(VARIANTS) : [];
for (const [name, hooks] of measured) variants.push(await open(name, { createGateway }, hooks));

for (const variant of variants) await measure(variant, REQUESTS * 3);
for (let round = 0; round < ROUNDS; round += 1) {
  // Another order in each round, so that no variant always follows the same one.
  for (let step = 0; step < variants.length; step += 1) {
    const variant = variants[(step + round) % variants.length];
    if (variant !== undefined) variant.costs.push(await measure(variant, REQUESTS));
  }
}

const base = median(variants[0]?.costs ?? []);
console.table(
  variants.map(({ name, costs }) => ({
    hooks: name,
    'CPU µs per request': median(costs).toFixed(2),
    'more than without': (median(costs) - base).toFixed(2),
  })),
);
for (const { gateway } of variants) await gateway.close();
const before = variants.find(({ name }) => name === 'no hooks, before');
if (before !== undefined) {
  // Both ran next to each other in each round, so the ratio of a round is not affected by the load of the machine.
  const ratio = median(before.costs.map((cost, round) => (variants[0]?.costs[round] ?? Number.NaN) / cost));
  console.log(`CPU time without hooks compared with ${checkout ?? ''}: ${ratio.toFixed(3)} (at most ${LARGEST_RATIO})`);
  if (!(ratio <= LARGEST_RATIO)) process.exitCode = 1;
}
