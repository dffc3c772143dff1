import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, GraphQLError, type GraphQLSchema, Kind, OperationTypeNode, parse } from 'graphql';
import { runCommandLine } from '../../cli/command-line.ts';
import { restSection } from '../../rest-facade/config.ts';
import { compileRoutes, describeDocuments, draftDocuments, type RestDocument } from '../../rest-facade/index.ts';
import { buildRandomFederation } from '../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../differential/random-federation/generate-subgraphs.ts';
import { recordingTerminal } from '../support/process/recording-terminal.ts';
import { createRandom } from '../support/random/random.ts';
import { createRandomSchema } from '../support/rest/random-schema.ts';

const SCHEMAS = Number(process.env['REST_DRAFT_SCHEMAS'] ?? 75);
const SUPERGRAPHS = Number(process.env['REST_DRAFT_SUPERGRAPHS'] ?? 8);
const FIRST_SEED = Number(process.env['REST_DRAFT_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Returns the coordinates of all root fields. */
function rootFields(schema: GraphQLSchema): readonly string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((type) => (type ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : []));
}

/** Returns the coordinates of the root fields that documents select. */
function draftedFields(documents: readonly RestDocument[]): readonly string[] {
  return documents.flatMap(({ text }) =>
    parse(text).definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const [first] = definition.selectionSet.selections;
      return first?.kind === Kind.FIELD
        ? [`${definition.operation === OperationTypeNode.QUERY ? 'Query' : 'Mutation'}.${first.name.value}`]
        : [];
    }),
  );
}

/** Builds the schema of a seed. @throws Error with the seed if it is invalid */
function schemaOf(seed: number): GraphQLSchema {
  try {
    return buildSchema(createRandomSchema(createRandom(seed)));
  } catch (error) {
    if (error instanceof GraphQLError) throw new Error(`The schema of seed ${seed} is invalid: ${error.message}`, { cause: error });
    throw error;
  }
}

describe(`drafts for random graphs from seed ${FIRST_SEED} (REST_DRAFT_SEED)`, () => {
  const settings = restSection.parse({});

  it(`are valid for ${SCHEMAS} schemas, and every root field is drafted or omitted`, () => {
    let drafted = 0;
    let total = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEMAS; seed += 1) {
      const schema = schemaOf(seed);
      const { documents, omitted } = draftDocuments(schema);
      const { problems } = compileRoutes(documents, schema);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      const fields = [...draftedFields(documents), ...omitted.map(({ field }) => field)];
      expect({ seed, fields: fields.toSorted() }).toEqual({ seed, fields: rootFields(schema).toSorted() });
      // The facade itself rejects a draft only for reasons that the drafts do not foresee.
      const unforeseen = omitted.filter(({ reason }) => !FORESEEN.test(reason));
      expect({ seed, unforeseen }).toEqual({ seed, unforeseen: [] });
      drafted += draftedFields(documents).length;
      total += fields.length;
      if (documents.length > 0) expect(() => describeDocuments(documents, { schema, settings, challenges: 'Bearer' })).not.toThrow();
    }
    expect(drafted / total).toBeGreaterThan(0.3);
  });

  describe('written for a supergraph', () => {
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'gatefold-drafts-'));
    });
    afterAll(async () => rm(directory, { recursive: true }));

    it(`pass \`gatefold validate\` for ${SUPERGRAPHS} supergraphs`, async () => {
      let count = 0;
      for (let seed = FIRST_SEED; count < SUPERGRAPHS; seed += 1) {
        const federation = buildRandomFederation(generateSubgraphs(seed), seed);
        if ('reasons' in federation) continue;
        count += 1;
        const supergraph = join(directory, `${seed}.graphql`);
        const documents = join(directory, `rest-${seed}`);
        const config = join(directory, `${seed}.yaml`);
        await writeFile(supergraph, federation.supergraphSdl);
        await writeFile(config, JSON.stringify({ supergraph: { file: supergraph }, rest: { documents } }));
        const terminal = recordingTerminal();
        const run = async (...args: readonly string[]) => ({
          seed,
          code: await runCommandLine([...args], terminal),
          warned: terminal.warned,
        });
        const drafting = await run('rest', 'init', '--supergraph', supergraph, '--out', documents);
        // A graph without objects at its root has no drafts.
        if (terminal.warned.join('\n').includes('no possible resources')) continue;
        expect(drafting).toEqual({ seed, code: 0, warned: [] });
        expect(await run('validate', '--config', config)).toMatchObject({ seed, code: 0 });
      }
    }, 120_000);
  });
});

const FORESEEN =
  /^(?:deprecated|no object in |a list of lists |the argument |event streams |@userErrors cannot |the result is a union|its path belongs |\w+ has no limit for )/;
