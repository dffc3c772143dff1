import { type ASTNode, type GraphQLError, getLocation, type Source } from 'graphql';

/** A location in a file. */
export interface FileLocation {
  readonly file: string;
  /** Line, starting at 1. */
  readonly line: number;
  /** Column, starting at 1. */
  readonly column: number;
}

/** A reason why subgraphs do not compose. */
export interface CompositionProblem {
  /** Message. It begins with the name of the subgraph in brackets if only one subgraph is affected. */
  readonly message: string;
  /** Code of the federation specification, if there is one. */
  readonly code?: string;
  /** All related locations. Empty if the problem has no location, for example for a missing definition. */
  readonly locations: readonly FileLocation[];
}

/**
 * Converts an error of the parser or of composition to plain data.
 *
 * @param subgraph name to add to the message if the error does not contain it
 */
export function toProblem(error: GraphQLError, subgraph?: string): CompositionProblem {
  const code = error.extensions?.['code'];
  return {
    message: subgraph === undefined ? error.message : `[${subgraph}] ${error.message}`,
    ...(typeof code === 'string' ? { code } : {}),
    locations: error.nodes === undefined ? ofPositions(error) : ofNodes(error.nodes),
  };
}

/**
 * Reads the locations of a syntax error, which has a source and positions. An error of composition has nodes instead, each with its own
 * source.
 */
function ofPositions({ source, positions }: GraphQLError): readonly FileLocation[] {
  if (source === undefined || positions === undefined) return [];
  return positions.map((position) => toFileLocation(source, position));
}

function ofNodes(nodes: readonly ASTNode[]): readonly FileLocation[] {
  const locations = nodes.flatMap(({ loc }) => (loc === undefined ? [] : [toFileLocation(loc.source, loc.start)]));
  const distinct = new Map(locations.map((location) => [`${location.file}:${location.line}:${location.column}`, location]));
  return [...distinct.values()];
}

/** Converts an offset in a file to a line and a column. */
export function toFileLocation(source: Source, position: number): FileLocation {
  return { file: source.name, ...getLocation(source, position) };
}
