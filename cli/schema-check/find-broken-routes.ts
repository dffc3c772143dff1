import { type FragmentDefinitionNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { CompiledRoutes, MappingProblem } from '../../rest-facade/index.ts';
import type { SchemaChange } from './compare-schemas.ts';
import type { SchemaUser, UsingDocument } from './schema-user.ts';

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

export interface SchemaPair {
  /** The old public schema. */
  readonly previous: GraphQLSchema;
  /** The new public schema. */
  readonly next: GraphQLSchema;
}

type Route = CompiledRoutes['routes'][number];

/** Routes that the old schema serves, and the changes that break them. */
export interface CheckedRoutes {
  readonly routes: readonly UsingDocument[];
  readonly changes: readonly SchemaChange[];
}

/**
 * Finds the mistakes that a new schema causes in REST documents, and the routes that are lost. A gateway would reject the schema and
 * continue to serve the old one. Mistakes that existed before are not reported.
 *
 * @param directory directory of the REST documents
 * @throws ConfigurationInvalid if the directory cannot be read
 */
export async function findBrokenRoutes(directory: string, { previous, next }: SchemaPair): Promise<CheckedRoutes> {
  const { compileRoutes, printTemplate, readRestDocuments } = await import('../../rest-facade/index.ts');
  const documents = readRestDocuments(directory);
  const before = compileRoutes(documents, previous);
  const known = new Set(before.problems.map(locationOf));
  const problems = compileRoutes(documents, next).problems.filter((problem) => !known.has(locationOf(problem)));
  const userOf = ({ method, template, operationName }: Route): SchemaUser => {
    return { kind: 'route', route: `${method} ${printTemplate(template)}`, operation: operationName };
  };
  const breaks = ({ declared }: Route, problem: MappingProblem): boolean =>
    definitionsOf(declared, before.fragments).some((part) => holds(part, problem));
  const broken = problems.map((problem) => toChange(problem, before.routes.filter((route) => breaks(route, problem)).map(userOf)));
  const lost = before.routes.filter((route) => problems.some((problem) => breaks(route, problem))).map(userOf);
  const distinct = new Map(lost.map((user) => [JSON.stringify(user), user]));
  return {
    routes: before.routes.map((route) => ({ user: userOf(route), document: { kind: Kind.DOCUMENT, definitions: [largestOf(route)] } })),
    changes: [...broken, ...[...distinct.values()].map(toLoss)],
  };
}

/** Returns the operation of a route with all fields that a client can request. */
function largestOf({ operation, linked, optIn }: Route): OperationDefinitionNode {
  return optIn?.linked ?? optIn?.operation ?? linked ?? operation;
}

/** Returns the definition with all fragments that it uses, directly or indirectly. Compiled fragments are never recursive. */
function definitionsOf(definition: Definition, fragments: CompiledRoutes['fragments']): readonly Definition[] {
  const found: Definition[] = [definition];
  visit(definition, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (fragment !== undefined) found.push(...definitionsOf(fragment, fragments));
    },
  });
  return found;
}

function holds({ loc }: Definition, { file, line, column }: MappingProblem): boolean {
  if (loc === undefined || loc.source.name !== file) return false;
  const { startToken: start, endToken: end } = loc;
  const isAfterStart = line > start.line || (line === start.line && column >= start.column);
  return isAfterStart && (line < end.line || (line === end.line && column <= end.column));
}

function locationOf({ file, line, column }: MappingProblem): string {
  return `${file}:${line}:${column}`;
}

function toChange(problem: MappingProblem, usedBy: readonly SchemaUser[]): SchemaChange {
  const path = locationOf(problem);
  return { severity: 'breaking', type: 'REST_DOCUMENT_INVALID', path, message: `${path}: ${problem.message}`, hint: problem.hint, usedBy };
}

function toLoss(user: SchemaUser): SchemaChange {
  const path = user.kind === 'route' ? `${user.route} (${user.operation})` : '';
  return { severity: 'breaking', type: 'REST_ROUTE_REMOVED', path, message: `The route ${path} can no longer be served`, usedBy: [user] };
}
