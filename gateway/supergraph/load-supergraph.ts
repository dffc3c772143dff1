import { createHash } from 'node:crypto';
import { errorCauses, ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { type GraphQLSchema, GraphQLError } from 'graphql';
import { SupergraphInvalid } from './errors.ts';

/** One subgraph as the supergraph describes it. */
export interface SubgraphAddress {
  readonly name: string;
  /** Where it answers, as written in the supergraph; may be empty when the address is only known to the configuration. */
  readonly url: string;
}

/** A supergraph that was read, checked and split into what the engine needs. */
export interface LoadedSupergraph {
  /** First 16 hexadecimal digits of the SHA-256 of the SDL: equal texts have equal ids, in every process. */
  readonly id: string;
  readonly sdl: string;
  readonly supergraph: Supergraph;
  /** The public schema: no federation internals, nothing inaccessible. */
  readonly schema: GraphQLSchema;
  /** By name. */
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
}

const ID_LENGTH = 16;

/**
 * Reads a composed supergraph.
 *
 * @throws SupergraphInvalid when the text is not SDL, is no supergraph, or asks for a feature that is not supported
 */
export function loadSupergraph(sdl: string): LoadedSupergraph {
  const supergraph = buildSupergraph(sdl);
  return {
    id: createHash('sha256').update(sdl).digest('hex').slice(0, ID_LENGTH),
    sdl,
    supergraph,
    schema: supergraph.apiSchema().toGraphQLJSSchema(),
    subgraphs: new Map(supergraph.subgraphsMetadata().map(({ name, url }) => [name, { name, url }])),
  };
}

function buildSupergraph(sdl: string): Supergraph {
  try {
    const supergraph = Supergraph.build(sdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
    // Splitting it is lazy, and the planner would be the first to find out that it cannot be split.
    supergraph.subgraphs();
    return supergraph;
  } catch (cause) {
    throw new SupergraphInvalid(describe(cause), { cause });
  }
}

function describe(cause: unknown): string {
  const errors = cause instanceof Error ? (errorCauses(cause) ?? [cause]) : [];
  const lines = errors.map((error) => `${error.message}${position(error)}`);
  return `The supergraph cannot be served: ${lines.length === 0 ? 'it was refused without a reason' : lines.join('; ')}`;
}

function position(error: Error): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined;
  return at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
}
