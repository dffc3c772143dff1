import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { printSchema } from 'graphql';
import type { BuildDependencies } from '../../../../gateway/composition/build-dependencies.ts';
import { buildGeneration } from '../../../../gateway/composition/build-generation.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../gateway/config/sections.ts';
import type { Generation } from '../../../../gateway/generation/generation.ts';
import type { IndexCache, IndexedSupergraph } from '../../../../gateway/generation/index-cache.ts';
import type { EncodedIndexes } from '../../../../gateway/planning/indexing/encode-indexes.ts';
import { createPlannerHost } from '../../../../gateway/planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../../../../gateway/planning/worker/planner-host.ts';
import { type SpareThread, createSpareThread } from '../../../../gateway/planning/worker/spare-thread.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

const sdlWith = (rule: string, ruleOfPost = ''): string => `
  schema
    @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
    @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
  { query: Query }
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT | INTERFACE
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
  directive @authenticated on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  enum join__Graph { S @join__graph(name: "s", url: "http://127.0.0.1:1/") }
  type Query @join__type(graph: S) { node: Node }
  interface Node @join__type(graph: S) { id: ID! ${rule} }
  type User implements Node @join__implements(graph: S, interface: "Node") @join__type(graph: S) { id: ID! ${rule} }
  type Post implements Node @join__implements(graph: S, interface: "Node") @join__type(graph: S) { id: ID! ${ruleOfPost} }
`;

async function warningsOf(sdl: string, supergraph: NonNullable<GatewayConfigInput['supergraph']> = { sdl }): Promise<readonly string[]> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_facts: unknown, message?: unknown) => void warnings.push(String(message)) };
  const config = resolveGatewayConfig({ profile: 'dev', supergraph });
  const generation = await buildGeneration(sdl, config, { clock: systemClock, logger });
  await generation[Symbol.asyncDispose]();
  return warnings;
}

describe('given a rule of an interface that some implementations do not have', () => {
  it('logs the interface, the field, the open implementation and the remedy', async () => {
    const [warning] = await warningsOf(sdlWith('@authenticated'));
    expect(warning).toContain('@authenticated of Node.id is not enforced for Post.id.');
    expect(warning).toContain('write it on each implementation and compose again');
  });

  it('logs nothing when each implementation has the rule', async () => {
    expect(await warningsOf(sdlWith('@authenticated', '@authenticated'))).toEqual([]);
  });

  it('logs nothing when the gateway composes the subgraphs, because composition rejects such rules', async () => {
    expect(await warningsOf(sdlWith('@authenticated'), { subgraphs: { s: { url: 'http://127.0.0.1:1/' } } })).toEqual([]);
  });
});

interface RecordingCache extends IndexCache {
  readonly stored: ReadonlyMap<string, EncodedIndexes>;
  /** Number of reads that returned indexes. */
  hits: number;
  reads: number;
  writes: number;
}

/** Creates a cache in memory. */
function recordingCache(): RecordingCache {
  const stored = new Map<string, EncodedIndexes>();
  const idOf = ({ sdl, hasAuthentication }: IndexedSupergraph): string => `${hasAuthentication} ${sdl}`;
  const cache: RecordingCache = {
    stored,
    hits: 0,
    reads: 0,
    writes: 0,
    async read(supergraph) {
      const found = stored.get(idOf(supergraph));
      cache.reads += 1;
      if (found !== undefined) cache.hits += 1;
      return found;
    },
    async write(supergraph, indexes) {
      cache.writes += 1;
      stored.set(idOf(supergraph), indexes);
    },
  };
  return cache;
}

/** Builds a generation, and disposes of it when the function has ended. */
async function built<T>(sdl: string, more: Partial<BuildDependencies>, use: (generation: Generation) => T | Promise<T>): Promise<T> {
  const config = resolveGatewayConfig({ profile: 'dev', supergraph: { sdl } });
  await using generation = await buildGeneration(sdl, config, { clock: systemClock, logger: silentLogger, ...more });
  return await use(generation);
}

async function messageOf(sdl: string, more: Partial<BuildDependencies>): Promise<string> {
  try {
    return await built(sdl, more, () => 'The supergraph was not refused.');
  } catch (error) {
    return String(error);
  }
}

const GUARDED = sdlWith('@authenticated', '@authenticated');
const REFUSED = 'but the gateway has no authentication to identify callers';

describe('given a cache of indexes', () => {
  it.each([
    ['an unknown type', GUARDED.replace('{ node: Node }', '{ node: Node other: Missing }')],
    [
      'an unknown security feature',
      GUARDED.replace('{ query: Query }', '@link(url: "https://vault.invalid/v1.0", for: SECURITY) { query: Query }'),
    ],
    ['a text that is not SDL', `${GUARDED} type`],
  ])('refuses a supergraph with %s with the same message at each start, and never stores it', async (_name, sdl) => {
    const indexCache = recordingCache();
    const expected = await messageOf(sdl, {});
    expect(expected).toMatch(/^SupergraphInvalid: The supergraph cannot be served/);
    expect([await messageOf(sdl, { indexCache }), await messageOf(sdl, { indexCache })]).toEqual([expected, expected]);
    expect(indexCache).toMatchObject({ reads: 2, hits: 0, writes: 0 });
  });

  it('refuses access rules without authentication with the same message at each start, also when they were stored with it', async () => {
    const indexCache = recordingCache();
    const expected = await messageOf(GUARDED, { hasAuthentication: false });
    expect(expected).toContain(REFUSED);
    await built(GUARDED, { indexCache }, () => undefined);
    const starts = [
      await messageOf(GUARDED, { indexCache, hasAuthentication: false }),
      await messageOf(GUARDED, { indexCache, hasAuthentication: false }),
    ];
    expect(starts).toEqual([expected, expected]);
    expect(indexCache).toMatchObject({ reads: 3, hits: 0, writes: 1 });
  });

  it('serves a supergraph while its indexes cannot be stored', async () => {
    const indexCache = { ...recordingCache(), write: async () => new Promise<void>(() => undefined) };
    expect(await built(GUARDED, { indexCache }, ({ schema }) => schema.getQueryType()?.name)).toBe('Query');
  });

  it('neither reads nor stores a supergraph with connectors', async () => {
    const indexCache = recordingCache();
    const sdl = readFileSync('schema/supergraph.graphql', 'utf8');
    expect(await built(sdl, { indexCache }, ({ schema }) => schema.getQueryType()?.name)).toBe('Query');
    expect(indexCache).toMatchObject({ reads: 0, writes: 0 });
  });

  it('serves a supergraph that extends types without storing it', async () => {
    const indexCache = recordingCache();
    const sdl = `${storefrontSdl()}\nextend type Account { more: Int @join__field(graph: ACCOUNTS) }\n`;
    expect(await built(sdl, { indexCache }, ({ schema }) => schema.getQueryType()?.name)).toBe('Query');
    expect(indexCache).toMatchObject({ reads: 1, writes: 0 });
  });

  it('denies the same fields, and has the same schema, at the second start', async () => {
    const indexCache = recordingCache();
    const facts = ({ schema, accessOf, grantOf, id, subgraphs }: Generation) => ({
      id,
      schema: printSchema(schema),
      subgraphs,
      denied: accessOf?.('{ node { id } }')?.(ANONYMOUS),
      granted: [grantOf?.('{ node { __typename } }')(ANONYMOUS), grantOf?.('{ node { id } }')(ANONYMOUS)],
    });
    const [without, first, second] = [
      await built(GUARDED, {}, facts),
      await built(GUARDED, { indexCache }, facts),
      await built(GUARDED, { indexCache }, facts),
    ];
    expect(without).toMatchObject({ denied: 'UNAUTHENTICATED', granted: [true, false] });
    expect([first, second]).toEqual([without, without]);
    expect(indexCache).toMatchObject({ reads: 2, hits: 1, writes: 1 });
  });

  it('reads a changed supergraph again', async () => {
    const indexCache = recordingCache();
    const deniedIn = ({ accessOf }: Generation) => accessOf?.('{ node { ... on User { id } } }')?.(ANONYMOUS);
    expect(await built(GUARDED, { indexCache }, deniedIn)).toBe('UNAUTHENTICATED');
    expect(await built(sdlWith('', '@authenticated'), { indexCache }, deniedIn)).toBeUndefined();
    expect(indexCache).toMatchObject({ hits: 0, writes: 2 });
  });

  it('warns about unclear rules at the second start as well', async () => {
    const indexCache = recordingCache();
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_facts: unknown, message?: unknown) => void warnings.push(String(message)) };
    for (let start = 0; start < 2; start += 1) await built(sdlWith('@authenticated'), { indexCache, logger }, () => undefined);
    expect(indexCache.hits).toBe(1);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toBe(warnings[0]);
  });
});

describe('given a spare thread', () => {
  it('plans in the thread of the previous generation, with the fields of the new supergraph', async () => {
    const inner = createSpareThread({ logger: silentLogger });
    let taken = 0;
    await using spareThread: SpareThread = {
      ...inner,
      planners: 1,
      take(kind) {
        const idle = inner.take(kind);
        if (idle !== undefined) taken += 1;
        return idle;
      },
    };
    const indexCache = recordingCache();
    const planned = async ({ prepareOperation }: Generation, field: string) => {
      const operation = prepareOperation(`{ ${field} { id name } }`);
      return operation.executable(operation.coerceVariables({}), []);
    };
    const renamed = storefrontSdl().replace('  me: Account', '  self: Account');
    await built(renamed, { indexCache }, () => undefined);
    await built(storefrontSdl(), { indexCache, spareThread }, (generation) => planned(generation, 'me'));
    await built(renamed, { indexCache, spareThread }, async (generation) => {
      expect(taken).toBe(1);
      await planned(generation, 'self');
      expect(() => generation.prepareOperation('{ me { id } }')).toThrow();
    });
  });
});

describe('a planner thread that is restarted after a plan that took too long', () => {
  const plannerModule = new URL('../../../support/planning/interruptible-planner.js', import.meta.url);
  const document = '{ me { name } products(first: 1) { title } }';
  const input = { document, conditions: {}, labels: [] };
  const forever = { ...input, document: `query Forever ${document}`, operationName: 'Forever' };

  async function expectPlansAfterRestart(host: PlannerHost): Promise<void> {
    const expected = await host.plan(input);
    await expect(host.plan(forever)).rejects.toMatchObject({ message: expect.stringContaining('takes too long to plan') });
    expect(await host.plan(input)).toEqual(expected);
  }

  it('plans with the index that the first thread created, and with one that was stored', async () => {
    const options = { sdl: storefrontSdl(), logger: silentLogger, planTimeoutMs: 2_000, plannerModule };
    await using creating = createPlannerHost({ ...options, indexing: { hasAuthentication: true } });
    const index = (await creating.ready)?.planning;
    await expectPlansAfterRestart(creating);
    await using reading = createPlannerHost({ ...options, index });
    expect(await reading.ready).toBeUndefined();
    await expectPlansAfterRestart(reading);
  });
});
