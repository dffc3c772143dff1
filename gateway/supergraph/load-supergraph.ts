import { createHash } from 'node:crypto';
import {
  DirectiveLocation,
  type DocumentNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLError,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { buildPublicSchema } from './build-public-schema.ts';
import { refuseMisspellings } from './check-spelling.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { uncomposedSchema } from './uncomposed-schema.ts';
import type { FederatedGraph } from './federated-graph.ts';
import { type AuthorizationRules, readAuthorizationRules } from './read-authorization-rules.ts';
import { type CacheHints, readCacheHints } from './read-cache-hints.ts';
import { type CostRules, readCostRules } from './read-cost-rules.ts';
import { type CreatorGrants, readCreatorGrants } from './read-creator-grants.ts';
import { joinFeatureIn, type LinkedFeature, readFeatures } from './read-features.ts';
import { readFederatedGraph } from './read-federated-graph.ts';
import { readSubgraphs, type SubgraphAddress } from './read-subgraphs.ts';
import { refuseFeatures } from './refuse-features.ts';
import { refuseLostDirectives } from './refuse-lost-directives.ts';

/** `@defer` as defined by the incremental delivery draft of the GraphQL specification (version of 2022-08-24). */
const DEFER = new GraphQLDirective({
  name: 'defer',
  description: 'Allows the gateway to deliver the fragment after the initial result.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: {
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
      description: 'When false, the fragment is part of the initial result.',
    },
    label: { type: GraphQLString, description: 'Label that is returned with the fragment to identify it.' },
  },
});

/** Returns the schema with the directive `@defer`, which subgraphs need not support. */
export function withDefer(schema: GraphQLSchema): GraphQLSchema {
  const others = schema.getDirectives().filter(({ name }) => name !== DEFER.name);
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...others, DEFER], assumeValid: true });
}

/** A supergraph that has been read and checked, with the data that the gateway needs. */
export interface LoadedSupergraph {
  /** First 16 hexadecimal digits of the SHA-256 of the SDL. Equal texts have equal ids in every process. */
  readonly id: string;
  readonly sdl: string;
  /** Public schema without federation internals and inaccessible elements, with `@defer`. */
  readonly schema: GraphQLSchema;
  /** Subgraphs by name. */
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  /** Lifetimes and scopes of cached data; empty if no directive defines them. */
  readonly cacheHints: CacheHints;
  /** Subgraphs and the fields that they resolve. */
  readonly graph: FederatedGraph;
  /** Authorization rules of the directives of the supergraph. */
  readonly authorization: AuthorizationRules;
  /** Fields that callers of mutations may read of the objects that they create. */
  readonly creatorGrants: CreatorGrants;
  /** Costs from the directives of demand control. */
  readonly costRules: CostRules;
}

const ID_LENGTH = 16;

/**
 * Reads a composed supergraph.
 *
 * @param file path of the SDL, for messages; the file is not read
 * @throws SupergraphInvalid when the text is not SDL, is not a supergraph, or requires an unsupported feature
 */
export function loadSupergraph(sdl: string, file?: string): LoadedSupergraph {
  const document = parseSdl(sdl);
  const features = readFeatures(document);
  refuseFeatures(document, features);
  refuseMisspellings(document, features);
  const subgraphs = namedSubgraphs(document, features, file);
  const graph = readChecked(document);
  const authorization = readAuthorizationRules(document, features);
  refuseLostDirectives(document, features);
  return {
    id: createHash('sha256').update(sdl).digest('hex').slice(0, ID_LENGTH),
    sdl,
    schema: withDefer(buildPublicSchema(document, features)),
    subgraphs: new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph])),
    graph,
    authorization,
    creatorGrants: readCreatorGrants(document, features),
    cacheHints: readCacheHints(document, features),
    costRules: readCostRules(document, features),
  };
}

function parseSdl(sdl: string): DocumentNode {
  try {
    return parse(sdl);
  } catch (cause) {
    throw new SupergraphInvalid(describe([cause]), { cause });
  }
}

function namedSubgraphs(document: DocumentNode, features: readonly LinkedFeature[], file: string | undefined): readonly SubgraphAddress[] {
  const join = joinFeatureIn(features);
  if (join === undefined) throw uncomposedSchema(document, file);
  const subgraphs = [...readSubgraphs(document, join).values()];
  if (subgraphs.length === 0) throw new SupergraphInvalid('The supergraph cannot be served: it contains no subgraphs.');
  return subgraphs;
}

/** Validates the SDL and reads the graph, so that errors are found here and not only in the planner's thread. */
function readChecked(document: DocumentNode): FederatedGraph {
  const errors = validateSDL(document);
  if (errors.length > 0) throw new SupergraphInvalid(describe(errors), { cause: errors[0] });
  try {
    return readFederatedGraph(document);
  } catch (cause) {
    throw new SupergraphInvalid(describe([cause]), { cause });
  }
}

function describe(errors: readonly unknown[]): string {
  return `The supergraph cannot be served: ${errors.map((error) => `${error instanceof Error ? error.message : String(error)}${position(error)}`).join('; ')}`;
}

function position(error: unknown): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined;
  return at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
}
