import { type ASTNode, type GraphQLError, getLocation, type Source } from 'graphql';

/** A place in a file. */
export interface FileLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** One reason why subgraphs do not compose. */
export interface CompositionProblem {
  /** Begins with the subgraph in brackets where one subgraph alone is at fault. */
  readonly message: string;
  /** Code of the federation specification, where the problem has one. */
  readonly code?: string;
  /** Every place that takes part; empty where the problem has none, as when something is missing altogether. */
  readonly locations: readonly FileLocation[];
}

/**
 * An error of the parser or of composition as plain data.
 *
 * @param subgraph put in front of the message where the error itself does not name one
 */
export function toProblem(error: GraphQLError, subgraph?: string): CompositionProblem {
  const code = error.extensions?.['code'];
  return {
    message: subgraph === undefined ? error.message : `[${subgraph}] ${error.message}`,
    ...(typeof code === 'string' ? { code } : {}),
    locations: error.nodes === undefined ? ofPositions(error) : ofNodes(error.nodes),
  };
}

/** A syntax error knows a source and positions; an error of composition knows nodes, each of a source of its own. */
function ofPositions({ source, positions }: GraphQLError): readonly FileLocation[] {
  if (source === undefined || positions === undefined) return [];
  return positions.map((position) => toFileLocation(source, position));
}

function ofNodes(nodes: readonly ASTNode[]): readonly FileLocation[] {
  const places = nodes.flatMap(({ loc }) => (loc === undefined ? [] : [toFileLocation(loc.source, loc.start)]));
  const distinct = new Map(places.map((place) => [`${place.file}:${place.line}:${place.column}`, place]));
  return [...distinct.values()];
}

/** A position of a file as editors count it. */
export function toFileLocation(source: Source, position: number): FileLocation {
  return { file: source.name, ...getLocation(source, position) };
}
