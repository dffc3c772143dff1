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

/** An operation as manifests of Apollo have it. */
export interface ExtractedOperation {
  /** SHA-256 of the body. */
  readonly id: string;
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly body: string;
}

/**
 * The operations of all sources by their names, each with the fragments that it needs, wherever they stand.
 *
 * @param transform what becomes of each document before it is written
 * @throws CommandFailed when a source does not parse, when a fragment is missing, or when a name is missing or stands for two things
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
    throw new CommandFailed(`${path}:${line}:${column}: ${cause.message}`, { cause });
  }
}

/** In the order in which they are first spread. */
function fragmentsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const needed = new Set<FragmentDefinitionNode>();
  const collect = (definition: DefinitionNode): void => {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined) throw new CommandFailed(`${placeOf(definition)}: there is no fragment ${name.value}.`);
        if (needed.has(fragment)) return;
        needed.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return [...needed];
}

/** Names hold for a client, whichever files they stand in. */
function byName<Definition extends OperationDefinitionNode | FragmentDefinitionNode>(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  const known = new Map<string, Definition>();
  for (const definition of definitions) {
    const name = definition.name?.value;
    if (name === undefined) throw new CommandFailed(`${placeOf(definition)}: the operation has no name, by which clients find its id.`);
    const other = known.get(name);
    if (other !== undefined) throw new CommandFailed(`${placeOf(definition)}: the name ${name} stands at ${placeOf(other)} already.`);
    known.set(name, definition);
  }
  return known;
}

function placeOf({ loc }: DefinitionNode): string {
  return loc === undefined ? '' : `${loc.source.name}:${loc.startToken.line}:${loc.startToken.column}`;
}
