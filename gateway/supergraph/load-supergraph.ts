import { createHash } from 'node:crypto';
import { type DocumentNode, GraphQLError, GraphQLSchema, parse, print } from 'graphql';
import { CONNECT_FEATURE } from '../connectors/definition/connect-link.ts';
import { type ExpandedSupergraph, expandConnectors } from '../connectors/expand/expand-connectors.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import { runSteps } from '../platform/run-steps.ts';
import { buildPublicSchema, configurePublicSchema } from './build-public-schema.ts';
import { refuseMisspellings } from './check-spelling.ts';
import { refuseDefaultCycles } from './default-cycles.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { uncomposedSchema } from './uncomposed-schema.ts';
import { validateSdl } from './validate-sdl.ts';
import type { WholeGraph } from './federated-graph.ts';
import { readGraphOutline } from './graph-outline.ts';
import { type AuthorizationRules, readAuthorizationRules } from './read-authorization-rules.ts';
import { type CacheHints, readCacheHints } from './read-cache-hints.ts';
import { type CostRules, readCostRules } from './read-cost-rules.ts';
import { type CreatorGrants, readCreatorGrants } from './read-creator-grants.ts';
import { joinFeatureIn, type LinkedFeature, readFeatures } from '../directives/read-features.ts';
import { parseSdlInSteps, type SdlPositions } from './parse-sdl.ts';
import { readFederatedGraphInSteps } from './read-federated-graph.ts';
import { readSubgraphs, type SubgraphAddress } from './read-subgraphs.ts';
import { refuseFeatures } from './refuse-features.ts';
import { refuseLostDirectives } from './refuse-lost-directives.ts';

/** A supergraph that has been read and checked, with the data that the gateway needs. */
export interface LoadedSupergraph {
  /** First 16 hexadecimal digits of the SHA-256 of the text that was loaded. Equal texts have equal ids in every process. */
  readonly id: string;
  /** SDL for the planner: the text that was loaded, or a supergraph in which each connector is a subgraph. */
  readonly sdl: string;
  /** Public schema without federation internals and inaccessible elements, with `@defer`. */
  readonly schema: GraphQLSchema;
  /** Subgraphs by name. Virtual subgraphs of connectors have the address of the subgraph that declares them. */
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  /** Virtual subgraphs of connectors by name. Absent if no subgraph has connectors. */
  readonly connectors?: ReadonlyMap<string, VirtualSubgraph>;
  /** Lifetimes and scopes of cached data; empty if no directive defines them. */
  readonly cacheHints: CacheHints;
  /** Subgraphs and the fields that they resolve. */
  readonly graph: WholeGraph;
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
  try {
    return runSteps(readSupergraph({ sdl, document: runSteps(parseSdlInSteps(sdl)), file, isChecked: false }));
  } catch {
    // The message needs the position of the error, which only a document with locations has.
    return runSteps(readSupergraph({ sdl, document: parseSdl(sdl), file, isChecked: false }));
  }
}

/**
 * Reads a composed supergraph in steps of about a millisecond, so that requests are served meanwhile. It is not validated as SDL and as a
 * schema: `loadSupergraphWithPositions` must accept it before the result is used.
 *
 * @throws any error when the supergraph is invalid; `loadSupergraph` then throws the error for operators
 */
export function* loadSupergraphInSteps(sdl: string, file?: string): Generator<undefined, LoadedSupergraph, undefined> {
  const document = yield* parseSdlInSteps(sdl);
  return yield* readSupergraph({ sdl, document, file, isChecked: true });
}

/** A supergraph without connectors, its document, and the positions of the definitions in its text. */
export interface PositionedSupergraph {
  readonly loaded: LoadedSupergraph;
  readonly document: DocumentNode;
  readonly positions: SdlPositions;
}

/** Reads a supergraph without connectors like `loadSupergraph`. @throws SupergraphInvalid */
export function loadSupergraphWithPositions(sdl: string, file?: string): PositionedSupergraph {
  const positions: SdlPositions = { definitions: [], fields: [] };
  try {
    const document = runSteps(parseSdlInSteps(sdl, positions));
    return { loaded: runSteps(readSupergraph({ sdl, document, file, isChecked: false })), document, positions };
  } catch (error) {
    loadSupergraph(sdl, file);
    throw error;
  }
}

interface SupergraphText {
  readonly sdl: string;
  readonly document: DocumentNode;
  readonly file: string | undefined;
  /** Whether the supergraph is validated elsewhere. */
  readonly isChecked: boolean;
}

function* readSupergraph({ sdl, document: written, file, isChecked }: SupergraphText): Generator<undefined, LoadedSupergraph, undefined> {
  const features = readFeatures(written);
  refuseFeatures(written, features);
  yield;
  refuseMisspellings(written, features);
  yield;
  const expanded = expandLinked(sdl, written);
  const document = expanded?.document ?? written;
  yield;
  const subgraphs = namedSubgraphs(document, features, file);
  if (!isChecked) refuseInvalidSdl(document);
  refuseDefaultCycles(document);
  const graph = yield* readGraph(document);
  const authorization = readAuthorizationRules(document, features);
  yield;
  refuseLostDirectives(document, features);
  yield;
  const schema = isChecked ? yield* buildCheckedSchema(document, features) : buildPublicSchema(document, features);
  yield;
  const creatorGrants = readCreatorGrants(document, features);
  yield;
  const cacheHints = readCacheHints(document, features);
  yield;
  return {
    id: createHash('sha256').update(sdl).digest('hex').slice(0, ID_LENGTH),
    sdl: expanded === undefined ? sdl : print(document),
    ...(expanded === undefined ? {} : { connectors: expanded.virtual }),
    schema,
    subgraphs: new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph])),
    graph,
    authorization,
    creatorGrants,
    cacheHints,
    costRules: readCostRules(document, features),
  };
}

/** Whether a supergraph may have connectors, so that the planner must wait until they have been expanded. */
export function mayHaveConnectors(sdl: string): boolean {
  return sdl.includes(`${CONNECT_FEATURE}/`);
}

/** Composition writes the link of each subgraph into a join directive. Not every version also links the specification for the supergraph. */
function expandLinked(sdl: string, document: DocumentNode): ExpandedSupergraph | undefined {
  if (!mayHaveConnectors(sdl)) return undefined;
  const errors = validateSdl(document);
  if (errors.length > 0) throw new SupergraphInvalid(describe(errors), { cause: errors[0] });
  try {
    return expandConnectors(document);
  } catch (cause) {
    throw new SupergraphInvalid(describe([cause]), { cause });
  }
}

function* buildCheckedSchema(document: DocumentNode, features: readonly LinkedFeature[]): Generator<undefined, GraphQLSchema, undefined> {
  const config = yield* configurePublicSchema(document, features);
  return new GraphQLSchema({ ...config, assumeValid: true });
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

function refuseInvalidSdl(document: DocumentNode): void {
  const errors = validateSdl(document);
  if (errors.length > 0) throw new SupergraphInvalid(describe(errors), { cause: errors[0] });
}

function* readGraph(document: DocumentNode): Generator<undefined, WholeGraph, undefined> {
  try {
    return yield* readFederatedGraphInSteps(document, readGraphOutline(document));
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
