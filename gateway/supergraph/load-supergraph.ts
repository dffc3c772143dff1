import { createHash } from 'node:crypto';
import { errorCauses, ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, type GraphQLSchema, GraphQLError, parse } from 'graphql';
import { type Logger, silentLogger } from '../platform/logger.ts';
import { SupergraphInvalid } from './errors.ts';
import { type AuthorisationRules, readAuthorisationRules } from './read-authorisation-rules.ts';
import { readFeatures } from './read-features.ts';
import { refuseFeatures } from './refuse-features.ts';
import { refuseUnenforcedRules } from './refuse-unenforced-rules.ts';

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
  /** Who may see what, as the directives of the supergraph say it; nothing here enforces it. */
  readonly authorisation: AuthorisationRules;
}

export interface LoadSupergraphOptions {
  /**
   * What to do with authorisation rules that nobody enforces: `refuse`, or `log` where the subgraphs do.
   *
   * @defaultValue 'refuse'
   */
  readonly unenforcedRules?: 'refuse' | 'log';
  /** @defaultValue one that drops everything */
  readonly logger?: Logger;
}

const ID_LENGTH = 16;

/**
 * Reads a composed supergraph.
 *
 * @throws SupergraphInvalid when the text is not SDL, is no supergraph, asks for a feature that is not supported, or has
 *   authorisation rules that nobody enforces
 */
export function loadSupergraph(
  sdl: string,
  { unenforcedRules = 'refuse', logger = silentLogger }: LoadSupergraphOptions = {},
): LoadedSupergraph {
  const document = parseSdl(sdl);
  const features = readFeatures(document);
  refuseFeatures(document, features);
  const supergraph = buildSupergraph(document);
  const authorisation = readAuthorisationRules(document, features);
  refuseUnenforcedRules(authorisation, unenforcedRules, logger);
  return {
    id: createHash('sha256').update(sdl).digest('hex').slice(0, ID_LENGTH),
    sdl,
    supergraph,
    schema: supergraph.apiSchema().toGraphQLJSSchema(),
    subgraphs: new Map(supergraph.subgraphsMetadata().map(({ name, url }) => [name, { name, url }])),
    authorisation,
  };
}

function parseSdl(sdl: string): DocumentNode {
  try {
    return parse(sdl);
  } catch (cause) {
    throw new SupergraphInvalid(describe(cause), { cause });
  }
}

function buildSupergraph(document: DocumentNode): Supergraph {
  try {
    const supergraph = Supergraph.build(document, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
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
