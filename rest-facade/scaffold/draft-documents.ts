import { getNamedType, type GraphQLSchema, isObjectType, parse, print } from 'graphql';
import { compileRoutes } from '../compile/compile-routes.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { isList, readConnection, selectFields } from './select-fields.ts';
import { type DraftedOperation, plural, writeReads } from './write-reads.ts';
import { writeWrites } from './write-writes.ts';

/**
 * Drafts documents for a graph without REST documents, one file for each type. Connections become pages, lists become lists, objects with
 * an id become resources, and mutations with a conventional name become methods. Operations that the facade could not serve are omitted.
 */
export function draftDocuments(schema: GraphQLSchema): readonly RestDocument[] {
  const query = schema.getQueryType();
  if (query === null || query === undefined) return [];
  const paths = collectionPaths(schema);
  const pathOf = (type: string): string => paths.get(type) ?? `/${resourceName(type)}`;
  const seen = new Set<string>();
  const drafted = [...writeReads(query, pathOf), ...writeWrites(schema, pathOf)].filter(({ name }) => !seen.has(name) && seen.add(name));
  return toFiles(schema, withoutProblems(schema, drafted));
}

/** Maps types to the paths of their collections, which are named after the root fields. */
function collectionPaths(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const item = readConnection(field.type)?.item ?? (isList(field.type) ? getNamedType(field.type) : undefined);
    if (isObjectType(item) && !paths.has(item.name)) paths.set(item.name, `/${kebab(field.name)}`);
  }
  return paths;
}

function resourceName(type: string): string {
  return kebab(plural(type));
}

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

/** Adds the operations one by one. Of two operations with the same path, the first one is used. */
function withoutProblems(schema: GraphQLSchema, drafted: readonly DraftedOperation[]): readonly DraftedOperation[] {
  if (compileRoutes(toFiles(schema, drafted), schema).problems.length === 0) return drafted;
  const sound: DraftedOperation[] = [];
  for (const operation of drafted) {
    const { problems } = compileRoutes(toFiles(schema, [...sound, operation]), schema);
    if (problems.length === 0) sound.push(operation);
  }
  return sound;
}

function toFiles(schema: GraphQLSchema, operations: readonly DraftedOperation[]): readonly RestDocument[] {
  const subjects = [...new Set(operations.map(({ subject }) => subject))];
  return subjects.map((subject) => {
    const type = schema.getType(subject);
    const own = operations.filter((operation) => operation.subject === subject).map(({ text }) => text);
    const isSpread = own.some((text) => text.includes(`...${subject} `));
    const fragment = isObjectType(type) && isSpread ? [`fragment ${subject} on ${subject} { ${selectFields(type)} }`] : [];
    return { path: `${resourceName(subject)}.graphql`, text: `${print(parse([...fragment, ...own].join('\n')))}\n` };
  });
}
