import { type DefinitionNode, GraphQLError, Kind, parse, Source } from 'graphql';
import { type MappingProblem, positionOf } from '../mapping-problems.ts';

/** The text of a file with REST operations. */
export interface RestDocument {
  /** Path of the file, for messages. */
  readonly path: string;
  readonly text: string;
}

/** All files as one document, because they share fragments. */
export interface ParsedDocuments {
  readonly definitions: readonly DefinitionNode[];
  readonly problems: readonly MappingProblem[];
}

/** Parses each file. A syntax error in one file does not hide the problems of the others. */
export function parseDocuments(documents: readonly RestDocument[]): ParsedDocuments {
  const definitions: DefinitionNode[] = [];
  const problems: MappingProblem[] = [];
  for (const { path, text } of documents) {
    const source = new Source(text, path);
    try {
      definitions.push(...parse(source).definitions);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      problems.push({
        message: error.message,
        hint: 'A REST document is a GraphQL document with operations that have @endpoint, and their fragments.',
        file: path,
        line: error.locations?.[0]?.line ?? 1,
        column: error.locations?.[0]?.column ?? 1,
      });
    }
  }
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) continue;
    problems.push({
      message: 'A REST document can contain only operations and fragments.',
      hint: 'Move type and directive definitions to the SDL of a subgraph.',
      ...positionOf(definition.loc),
    });
  }
  return { definitions, problems };
}
