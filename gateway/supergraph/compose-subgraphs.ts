import type { CompositionSuccess, composeServices } from '@apollo/composition';
import { type DefinitionNode, type DocumentNode, GraphQLError, Kind, parse, Source } from 'graphql';
import { isConnectFeature } from '../connectors/definition/connect-link.ts';
import { validateConnectors } from '../connectors/validation/validate-connectors.ts';
import { loadPackage } from '../platform/require-packages.ts';
import {
  checkDirectivesOfSubgraph,
  type SubgraphDirective,
  findDroppedDirectives,
  linkedDirectivesOf,
} from './check-directives-of-subgraph.ts';
import { type CompositionProblem, toFileLocation, toProblem } from './composition-problem.ts';
import { findDefaultCycle, refuseDefaultCycles } from './default-cycles.ts';
import { FEDERATION, GATEWAY_DIRECTIVES } from './gateway-directives.ts';
import { refuseLostDirectives } from './refuse-lost-directives.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { readAuthorizationRules } from './read-authorization-rules.ts';
import { directiveNameIn, type LinkedFeature, readFeatures } from '../directives/read-features.ts';

/** A file with SDL. */
export interface SdlFile {
  /** Path for error messages. The file is not read. */
  readonly path: string;
  readonly text: string;
}

/** A subgraph to compose, with the definitions of all its files. */
export interface SubgraphSource {
  readonly name: string;
  /** URL that is written to the supergraph; may be empty. */
  readonly url: string;
  readonly files: readonly SdlFile[];
}

/** A note of composition that is not an error. */
export interface CompositionHint {
  readonly code: string;
  readonly message: string;
}

/** A supergraph, or the errors that prevent composition. */
export type Composition =
  | { readonly supergraphSdl: string; readonly hints: readonly CompositionHint[]; readonly errors?: never }
  | { readonly errors: readonly CompositionProblem[]; readonly supergraphSdl?: never; readonly hints?: never };

type ComposeServices = typeof composeServices;

/** First version of the federation specification that contains all versions of the connect specification. */
const FEDERATION_OF_CONNECTORS = `${FEDERATION}/v2.13`;

const NEEDED_FOR = 'composition (`gatefold compose`, `gatefold dev` with subgraphs, the setting supergraph.subgraphs)';

/**
 * Composes subgraphs into a supergraph. Files are parsed separately, so that every problem, including syntax errors, refers to its file.
 *
 * @throws PackagesMissing when `@apollo/composition` is not installed. It is loaded here and not with this module, because its license
 * differs from that of the gateway, and most installations do not compose.
 */
export function composeSubgraphs(subgraphs: readonly SubgraphSource[]): Composition {
  const namingIssues = findNamingIssues(subgraphs);
  if (namingIssues.length > 0) return { errors: namingIssues };

  const syntaxErrors: CompositionProblem[] = [];
  const services = subgraphs.map((subgraph) => ({
    name: subgraph.name,
    url: subgraph.url,
    typeDefs: linkFederation(parseFiles(subgraph, syntaxErrors)),
  }));
  if (syntaxErrors.length > 0) return { errors: syntaxErrors };

  const connectors = services.flatMap(({ name, typeDefs }) => validateConnectors(name, typeDefs));
  if (connectors.length > 0) return { errors: connectors };

  const cycles = services.flatMap(({ name, typeDefs }) => findDefaultCycles(name, typeDefs));
  if (cycles.length > 0) return { errors: cycles };

  const linked = new Map(services.flatMap(({ typeDefs }) => [...linkedDirectivesOf(typeDefs)]));
  const checked = services.map(({ name, typeDefs }) => checkDirectivesOfSubgraph(name, typeDefs, linked));
  const dropped = checked.flatMap(({ problems }) => problems);
  const result = composeParsed(services);
  if (result.errors !== undefined) return { errors: [...result.errors.map((error) => toProblem(error)), ...dropped] };
  const uses = checked.flatMap((subgraph) => subgraph.uses);
  const issues = [...dropped, ...(dropped.length === 0 ? checkSupergraph(result, uses) : [])];
  if (issues.length > 0) return { errors: issues };
  return {
    supergraphSdl: result.supergraphSdl,
    hints: result.hints.map((hint) => ({ code: hint.definition.code, message: hint.message })),
  };
}

/** Finds default values of input fields that refer to each other. Composition does not, and copies them to the supergraph. */
function findDefaultCycles(subgraph: string, document: DocumentNode): readonly CompositionProblem[] {
  const cycle = findDefaultCycle(document);
  if (cycle === undefined) return [];
  const { fields, remedy, node } = cycle;
  return [
    {
      message: `[${subgraph}] Default values of input fields refer to each other: ${fields}. ${remedy}`,
      code: 'DEFAULT_VALUE_CYCLE',
      locations: node.loc === undefined ? [] : [toFileLocation(node.loc.source, node.loc.start)],
    },
  ];
}

/**
 * Composes parsed subgraphs. Composition sometimes throws instead of reporting an error, for example for a directive that is composed under
 * two names.
 */
function composeParsed(services: Parameters<ComposeServices>[0]): ReturnType<ComposeServices> {
  const composition = loadPackage('@apollo/composition', NEEDED_FOR) as { readonly composeServices: ComposeServices };
  try {
    return composition.composeServices(services);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { errors: [new GraphQLError(`Composition failed: ${reason}. Use the same name for each directive in all subgraphs.`)] };
  }
}

/** Checks that the supergraph can be served, and contains the directives of all subgraphs as written. */
function checkSupergraph(result: CompositionSuccess, uses: readonly SubgraphDirective[]): readonly CompositionProblem[] {
  const document = parse(result.supergraphSdl);
  const features = readFeatures(document);
  try {
    readAuthorizationRules(document, features);
    refuseLostDirectives(document, features);
    refuseDefaultCycles(document);
    return [...findDroppedDirectives(uses, document), ...findConflictingDirectives(result, features)];
  } catch (error) {
    if (!(error instanceof SupergraphInvalid)) throw error;
    return [{ message: error.message, locations: [] }];
  }
}

/**
 * Finds directives that differ between subgraphs. Composition copies those that it does not interpret: it selects one of them and drops the
 * others with a hint. The dropped one may be the stricter one, so the effective directive would depend on the order of the subgraphs.
 */
function findConflictingDirectives({ hints }: CompositionSuccess, features: readonly LinkedFeature[]): readonly CompositionProblem[] {
  const dropped = hints.filter(({ definition }) => definition.code === 'INCONSISTENT_NON_REPEATABLE_DIRECTIVE_ARGUMENTS');
  if (dropped.length === 0) return [];
  const copied = [...GATEWAY_DIRECTIVES.values()].filter(({ carrier }) => carrier.by === 'composeDirective');
  const names = new Set(
    features.flatMap((feature) =>
      copied.flatMap(({ name, feature: identity }) => (feature.identity === identity ? [directiveNameIn(feature, name)] : [])),
    ),
  );
  return dropped.flatMap(({ message }) => {
    const [, name = ''] = / directive @(\w+) is applied /.exec(message) ?? [];
    if (!names.has(name)) return [];
    return [
      { message: `${message} The arguments of @${name} must be the same in all subgraphs.`, code: 'CONFLICTING_RULES', locations: [] },
    ];
  });
}

function parseFiles({ name, files }: SubgraphSource, problems: CompositionProblem[]): DocumentNode {
  const definitions: DefinitionNode[] = [];
  for (const { path, text } of files) {
    try {
      definitions.push(...parse(new Source(text, path)).definitions);
    } catch (error) {
      problems.push(toProblem(error as GraphQLError, name));
    }
  }
  return { kind: Kind.DOCUMENT, definitions };
}

/**
 * Adds the link of the federation specification to a subgraph that links only the connect specification. Without it, composition treats the
 * subgraph as one of Federation 1, which has no connectors.
 */
function linkFederation(document: DocumentNode): DocumentNode {
  const features = readFeatures(document, 'link');
  if (!features.some(isConnectFeature) || features.some(({ identity }) => identity === FEDERATION)) return document;
  return {
    ...document,
    definitions: [...parse(`extend schema @link(url: "${FEDERATION_OF_CONNECTORS}")`).definitions, ...document.definitions],
  };
}

/**
 * Checks the names of the subgraphs. Composition itself throws for a duplicate name, and fails with an unclear error without any subgraph.
 */
function findNamingIssues(subgraphs: readonly SubgraphSource[]): CompositionProblem[] {
  if (subgraphs.length === 0) return [{ message: 'There are no subgraphs to compose.', locations: [] }];
  const names = subgraphs.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => ({ message: `Two subgraphs have the name "${name}". Subgraph names must be unique.`, locations: [] }));
}
