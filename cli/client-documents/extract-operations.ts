import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  Source,
  visit,
} from 'graphql';
import { sha256Of } from '../../gateway/persisted/document-reference.ts';
import { CommandFailed } from '../command-failed.ts';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** An operation in the format of Apollo manifests. */
export interface ExtractedOperation {
  /** SHA-256 of the body. */
  readonly id: string;
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly body: string;
}

/**
 * Extracts the named operations of all sources, each with the fragments that it uses from any source.
 *
 * @param transform transforms each document before it is printed
 * @throws CommandFailed if a source does not parse, a fragment is missing, or a name is missing or used twice
 */
export function extractOperations(
  sources: readonly SourceText[],
  transform: (document: DocumentNode) => DocumentNode,
): readonly ExtractedOperation[] {
  const definitions = sources.flatMap(parseSource);
  const fragments = byName(definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION));
  const operations = byName(definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION));
  return [...operations]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, operation]) => {
      const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragmentsOf(operation, fragments)] };
      const body = print(transform(document));
      return { id: sha256Of(body), name, type: operation.operation, body };
    });
}

function parseSource({ path, text }: SourceText): readonly DefinitionNode[] {
  try {
    return parse(new Source(text, path)).definitions;
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const [{ line, column } = { line: 1, column: 1 }] = cause.locations ?? [];
    const problem = { message: cause.message, locations: [{ file: path, line, column }] };
    throw new CommandFailed(`${path}:${line}:${column}: ${cause.message}`, { code: 'OPERATION_INVALID', problems: [problem], cause });
  }
}

/** Returns the fragments of an operation, in the order in which they are first spread. */
function fragmentsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const needed = new Set<FragmentDefinitionNode>();
  const collect = (definition: DefinitionNode): void => {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined)
          throw new CommandFailed(`${locationOf(definition)}: The fragment ${name.value} is not defined in any of the files.`);
        if (needed.has(fragment)) return;
        needed.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return [...needed];
}

/** Indexes definitions by name. A name must be unique for a client across all files. */
function byName<Definition extends OperationDefinitionNode | FragmentDefinitionNode>(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  const known = new Map<string, Definition>();
  for (const definition of definitions) {
    const name = definition.name?.value;
    if (name === undefined)
      throw new CommandFailed(`${locationOf(definition)}: The operation has no name. Name it, because clients find the id by name.`);
    const other = known.get(name);
    if (other !== undefined)
      throw new CommandFailed(`${locationOf(definition)}: The name ${name} is already used at ${locationOf(other)}. Choose a unique name.`);
    known.set(name, definition);
  }
  return known;
}

function locationOf({ loc }: DefinitionNode): string {
  return loc === undefined ? '' : `${loc.source.name}:${loc.startToken.line}:${loc.startToken.column}`;
}
