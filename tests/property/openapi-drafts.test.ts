import { composeServices } from '@apollo/composition';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { draftSubgraph } from '../../cli/connect/draft/draft-subgraph.ts';
import { printSubgraph } from '../../cli/connect/draft/print-subgraph.ts';
import { openDocument } from '../../cli/connect/openapi/openapi-document.ts';
import { createRandomDocument } from '../support/openapi/random-document.ts';
import { createRandom } from '../support/random/random.ts';

const DOCUMENTS = Number(process.env['OPENAPI_DRAFTS'] ?? 150);
const FIRST_SEED = Number(process.env['OPENAPI_DRAFT_SEED'] ?? Math.floor(Math.random() * 1_000_000));
/** A draft without queries is valid, but a supergraph needs one. */
const OTHER_SUBGRAPH = { name: 'other', url: '', typeDefs: parse('type Query { isOther: Boolean }') };

describe(`drafts for random OpenAPI documents from seed ${FIRST_SEED} (OPENAPI_DRAFT_SEED)`, () => {
  it(`parse and compose for ${DOCUMENTS} documents`, () => {
    let drafted = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + DOCUMENTS; seed += 1) {
      const document = openDocument(JSON.parse(JSON.stringify(createRandomDocument(createRandom(seed)))), 'random.json');
      const { subgraph, omissions } = draftSubgraph(document, {});
      if (subgraph.queries.length + subgraph.mutations.length === 0) {
        expect({ seed, omissions: omissions.length }).not.toEqual({ seed, omissions: 0 });
        continue;
      }
      drafted += 1;
      expect(problemsOf(printSubgraph(subgraph, omissions), seed)).toEqual([]);
    }
    expect(drafted / DOCUMENTS).toBeGreaterThan(0.5);
  }, 120_000);
});

/** Returns the errors of parsing and composing, each with the seed. */
function problemsOf(sdl: string, seed: number): readonly string[] {
  try {
    const { errors = [] } = composeServices([{ name: 'drafted', url: '', typeDefs: parse(sdl) }, OTHER_SUBGRAPH]);
    return errors.map(({ message }) => `seed ${seed}: ${message}`);
  } catch (error) {
    return [`seed ${seed}: ${String(error)}`];
  }
}
