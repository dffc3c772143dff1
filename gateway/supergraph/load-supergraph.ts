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
import { SupergraphInvalid } from './errors.ts';
import type { FederatedGraph } from './federated-graph.ts';
import { type AuthorisationRules, readAuthorisationRules } from './read-authorisation-rules.ts';
import { type CacheHints, readCacheHints } from './read-cache-hints.ts';
import { type CostRules, readCostRules } from './read-cost-rules.ts';
import { type CreatorGrants, readCreatorGrants } from './read-creator-grants.ts';
import { joinFeatureIn, type LinkedFeature, readFeatures } from './read-features.ts';
import { readFederatedGraph } from './read-federated-graph.ts';
import { readSubgraphs, type SubgraphAddress } from './read-subgraphs.ts';
import { refuseFeatures } from './refuse-features.ts';

/** `@defer` as the incremental delivery draft of the GraphQL specification defines it (version of 2022-08-24). */
const DEFER = new GraphQLDirective({
  name: 'defer',
  description: 'What the fragment has may come later than the rest of the answer.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true, description: 'Comes with the rest when false.' },
    label: { type: GraphQLString, description: 'Comes along with the fragment, so that it is known again.' },
  },
});

/** The same schema with the directive `@defer`, which no subgraph has to know. */
export function withDefer(schema: GraphQLSchema): GraphQLSchema {
  const others = schema.getDirectives().filter(({ name }) => name !== DEFER.name);
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...others, DEFER], assumeValid: true });
}

/** A supergraph that was read, checked and split into what the engine needs. */
export interface LoadedSupergraph {
  /** First 16 hexadecimal digits of the SHA-256 of the SDL: equal texts have equal ids, in every process. */
  readonly id: string;
  readonly sdl: string;
  /** The public schema: no federation internals, nothing inaccessible; with `@defer`. */
  readonly schema: GraphQLSchema;
  /** By name. */
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  /** How long what stays fresh, and for whom; empty where nothing is said. */
  readonly cacheHints: CacheHints;
  /** Who can answer what. */
  readonly graph: FederatedGraph;
  /** Who may see what, as the directives of the supergraph say it. */
  readonly authorisation: AuthorisationRules;
  /** What callers of mutations may read of the objects that they create. */
  readonly creatorGrants: CreatorGrants;
  /** What the directives of demand control say. */
  readonly costRules: CostRules;
}

const ID_LENGTH = 16;

/**
 * Reads a composed supergraph.
 *
 * @throws SupergraphInvalid when the text is not SDL, is no supergraph, or asks for a feature that is not supported
 */
export function loadSupergraph(sdl: string): LoadedSupergraph {
  const document = parseSdl(sdl);
  const features = readFeatures(document);
  refuseFeatures(document, features);
  refuseMisspellings(document, features);
  const subgraphs = namedSubgraphs(document, features);
  const graph = readChecked(document);
  const authorisation = readAuthorisationRules(document, features);
  return {
    id: createHash('sha256').update(sdl).digest('hex').slice(0, ID_LENGTH),
    sdl,
    schema: withDefer(buildPublicSchema(document, features)),
    subgraphs: new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph])),
    graph,
    authorisation,
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

function namedSubgraphs(document: DocumentNode, features: readonly LinkedFeature[]): readonly SubgraphAddress[] {
  const join = joinFeatureIn(features);
  if (join === undefined)
    throw new SupergraphInvalid('The supergraph cannot be served: it is none, for its schema does not link the join specification.');
  const subgraphs = [...readSubgraphs(document, join).values()];
  if (subgraphs.length === 0) throw new SupergraphInvalid('The supergraph cannot be served: it names no subgraph.');
  return subgraphs;
}

/** What the planner's thread would be the first to find out. */
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
