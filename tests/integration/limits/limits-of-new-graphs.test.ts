import { afterEach, describe, expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/composition/create-gateway.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import type { SupergraphListener } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { postGraphql } from '../../support/http/graphql-over-http.ts';
import { eventually } from '../../support/time/eventually.ts';

/** Returns a supergraph of films and actors. @param size directive of `Query.films` */
function supergraphOf(size = ''): string {
  const text = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@listSize"])
    type Query { films(first: Int): [Film] ${size} }
    type Film { title: String actors: [Actor] }
    type Actor { name: String films: [Film] }
  `;
  const { supergraphSdl, errors } = composeSubgraphs([
    { name: 'films', url: 'http://films.test', files: [{ path: 'films.graphql', text }] },
  ]);
  if (supergraphSdl === undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

const WITHOUT_SIZES = supergraphOf();
const WITH_SIZES = supergraphOf('@listSize(assumedSize: 10)');
/** The estimated cost is 10 + 100 + 1,000 + 10,000. */
const EXPENSIVE = { query: 'query Deep { films { actors { films { actors { name } } } } }' };

type Line = readonly [facts: Readonly<Record<string, unknown>>, message: string];

let opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened) await one[Symbol.asyncDispose]();
  opened = [];
});

/** Starts a gateway whose supergraph the test can replace. */
async function start(limits: GatewayConfigInput['limits'] = {}, sdl = WITHOUT_SIZES) {
  const lines: Line[] = [];
  let listener: SupergraphListener | undefined;
  const executor: SubgraphExecutor = async () => ({ data: { films: [] } });
  const gateway = await createGateway(
    { server: { port: 0, internalPort: 0, shutdown: { lameDuckMs: 0 } }, limits },
    {
      logger: { ...silentLogger, warn: (facts: unknown, message?: unknown) => void lines.push([facts, message] as Line) },
      subgraphExecutor: () => Object.assign(executor, { async [Symbol.asyncDispose]() {} }),
      supergraphSource: () => ({
        name: 'the test',
        isLocal: true,
        start(given) {
          listener = given;
          given.onSupergraph(sdl);
        },
        async [Symbol.asyncDispose]() {},
      }),
    },
  );
  opened.push(gateway);
  const { url } = await gateway.listen();
  return {
    lines,
    post: (body: object) => postGraphql(`${url}/graphql`, body),
    async replace(next: string) {
      const { current } = gateway.generations();
      listener?.onSupergraph(next);
      await eventually(() => gateway.generations().current !== current);
    },
  };
}

const measuredAtStart = (lines: readonly Line[]) => lines.filter(([, message]) => message.includes('uses neither @listSize nor @cost'));

describe('given a supergraph without @listSize and @cost', () => {
  it('serves an operation above the default cost limit, and logs one sampled warning', async () => {
    const { post, lines } = await start();
    for (let count = 0; count < 3; count += 1) {
      const { body } = await post({ query: EXPENSIVE.query.replace('name', `alias${count}: name`) });
      expect(body).toEqual({ data: { films: [] } });
    }
    const exceeded = lines.filter(([{ limit }]) => limit === 5_000);
    expect(exceeded).toEqual([
      [
        { estimated: 11_110, limit: 5_000, operation: 'Deep', list: 'Film.actors', items: 10_100 },
        'The operation exceeds limits.maxCost. It is executed, because the limit is only measured (limits.modes.cost).',
      ],
    ]);
  });

  it('writes one warning at the start that names what is measured and the settings that enforce it', async () => {
    const { lines } = await start();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[1]).toMatch(
      /limits\.maxCost \(5000 points\) are served.*set limits\.maxCost or limits\.modes\.cost.*budget\.anonymous/,
    );
  });

  it.each([
    ['limits.maxCost', { maxCost: 11_109 }],
    ['limits.mode', { mode: 'enforce' }],
    ['limits.modes.cost', { modes: { cost: 'enforce' } }],
  ] as const)('rejects the operation when %s is configured', async (_setting, limits) => {
    const { post, lines } = await start(limits);
    const { code, body } = await post(EXPENSIVE);
    expect(code).toBe('COST_LIMIT_EXCEEDED');
    expect(body.errors?.[0]?.message).toMatch(
      /^The estimated cost of the operation is 11110 points; at most \d+ are allowed\. The most expensive list is "Film\.actors" with an estimated 10100 items\. Request fewer nested lists or fewer fields\. The operator of the gateway can define the size of this list with @listSize on "Film\.actors", or increase limits\.maxCost\.$/,
    );
    await post(EXPENSIVE);
    expect(measuredAtStart(lines)).toEqual([]);
    expect(lines.filter(([{ setting }]) => setting === 'limits.maxCost')).toEqual([
      [
        {
          setting: 'limits.maxCost',
          code: 'COST_LIMIT_EXCEEDED',
          caller: 'anonymous',
          operation: 'Deep',
          reason: body.errors?.[0]?.message,
        },
        'A request was rejected. The setting limits.maxCost decides.',
      ],
    ]);
  });

  it('rejects a page that is too large, and serves one of the maximum size', async () => {
    const { post, lines } = await start();
    const { code, body } = await post({ query: '{ films(first: 100000) { title } }' });
    expect(code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toBe(
      'The argument "first" of "Query.films" is 100000, but a page must have between 0 and 100 items. Send a smaller value. ' +
        'The operator of the gateway can increase limits.maxPageSize, or remove the name from limits.slicingArguments if the argument is not a page size.',
    );
    const [facts] = lines.find(([{ setting }]) => setting === 'limits.maxPageSize') ?? [];
    expect(facts).toMatchObject({ code: 'BAD_USER_INPUT', caller: 'anonymous' });
    expect((await post({ query: '{ films(first: 100) { title } }' })).body.errors).toBeUndefined();
  });

  it('serves pages of any size when slicing arguments are not recognized', async () => {
    const { post } = await start({ slicingArguments: [] });
    expect((await post({ query: '{ films(first: 100000) { title } }' })).body.errors).toBeUndefined();
  });
});

describe('given a reload', () => {
  it('enforces the cost limit from the first supergraph with @listSize, and measures it again without', async () => {
    const { post, replace, lines } = await start();
    expect((await post(EXPENSIVE)).code).toBeUndefined();
    await replace(WITH_SIZES);
    expect((await post(EXPENSIVE)).code).toBe('COST_LIMIT_EXCEEDED');
    await replace(WITHOUT_SIZES);
    expect((await post(EXPENSIVE)).code).toBeUndefined();
    expect(measuredAtStart(lines)).toHaveLength(2);
  });

  it('does not repeat the warning of the start while the decision is unchanged', async () => {
    const { replace, lines } = await start();
    await replace(`${WITHOUT_SIZES}\n# changed`);
    await replace(WITHOUT_SIZES);
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['enforce', 'COST_LIMIT_EXCEEDED'],
    ['measure', undefined],
  ] as const)('does not change the decision when limits.modes.cost is %s', async (cost, code) => {
    const { post, replace } = await start({ modes: { cost } }, WITH_SIZES);
    expect((await post(EXPENSIVE)).code).toBe(code);
    await replace(WITHOUT_SIZES);
    expect((await post(EXPENSIVE)).code).toBe(code);
  });
});
