import { readFileSync } from 'node:fs';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { describe, expect, it } from '@jest/globals';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { withDefer } from '../../../support/schema/with-defer.ts';
import { buildFederation } from '../../../differential/federation/build-federation.ts';
import { buildRandomFederation } from '../../../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../../../differential/random-federation/generate-subgraphs.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

const FIRST_SEED = Number(process.env['PUBLIC_SCHEMA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const GRAPHS = 10;

/** Builds the public schema of the supergraph with the federation library, and adds `@defer`. */
function byTheLibrary(sdl: string): string {
  const supergraph = Supergraph.build(sdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, validateSupergraph: false });
  return printSchema(lexicographicSortSchema(withDefer(supergraph.apiSchema().toGraphQLJSSchema())));
}

const ours = (sdl: string): string => printSchema(lexicographicSortSchema(loadSupergraph(sdl).schema));

describe('buildPublicSchema', () => {
  it.each([
    ['the storefront', storefrontSdl()],
    ['the reference graph', readFileSync('schema/supergraph.graphql', 'utf8')],
    ['the difficult graph', buildFederation().supergraphSdl],
  ])('builds the same public schema as the federation library for %s', (_name, sdl) => {
    expect(ours(sdl)).toBe(byTheLibrary(sdl));
  });

  it(`agrees with the library on random supergraphs, seed ${FIRST_SEED} (PUBLIC_SCHEMA_SEED)`, () => {
    let compared = 0;
    for (let seed = FIRST_SEED; compared < GRAPHS; seed += 1) {
      const federation = buildRandomFederation(generateSubgraphs(seed), seed);
      if ('reasons' in federation) continue;
      expect({ seed, schema: ours(federation.supergraphSdl) }).toEqual({ seed, schema: byTheLibrary(federation.supergraphSdl) });
      compared += 1;
    }
  });
});
