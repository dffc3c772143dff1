import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import type { GraphQLSchema } from 'graphql';
import type { SchemaUser } from './schema-user.ts';

/** Effect of a change on clients: it breaks them, it can change their behavior, or it has no effect on them. */
export type Severity = 'breaking' | 'dangerous' | 'safe';

/** A difference between two schemas. */
export interface SchemaChange {
  readonly severity: Severity;
  /** Kind of change, in capital letters: `FIELD_REMOVED`, `REST_ROUTE_REMOVED`. */
  readonly type: string;
  /** Schema coordinate, empty for the schema as a whole. For a REST document, the location; for a route, its method and path. */
  readonly path: string;
  readonly message: string;
  /** Probable replacement: a new field of the same type in the same parent. */
  readonly perhaps?: string;
  /** How to resolve the problem, if that is known. */
  readonly hint?: string;
  /** Routes, persisted documents and webhook events that use the changed element. */
  readonly usedBy: readonly SchemaUser[];
}

/** Matches changes of descriptions, which no program depends on. */
const DESCRIPTION = /_DESCRIPTION_(?:ADDED|CHANGED|REMOVED)$/;

const SEVERITIES: Readonly<Record<CriticalityLevel, Severity>> = {
  [CriticalityLevel.Breaking]: 'breaking',
  [CriticalityLevel.Dangerous]: 'dangerous',
  [CriticalityLevel.NonBreaking]: 'safe',
};

const ORDER: readonly Severity[] = ['breaking', 'dangerous', 'safe'];

/**
 * Returns the differences between two schemas, sorted by severity and path.
 *
 * @param withDescriptions whether changes of descriptions are included
 */
export async function compareSchemas(
  previous: GraphQLSchema,
  next: GraphQLSchema,
  withDescriptions = false,
): Promise<readonly SchemaChange[]> {
  const changes = await diff(previous, next);
  return changes
    .filter(({ type }) => withDescriptions || !DESCRIPTION.test(String(type)))
    .map((change) => toSchemaChange(change, changes, previous, next))
    .sort(
      (one, other) =>
        ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity) ||
        compareTexts(one.path, other.path) ||
        compareTexts(one.type, other.type),
    );
}

function toSchemaChange(
  { criticality, type, path = '', message }: Change,
  all: readonly Change[],
  previous: GraphQLSchema,
  next: GraphQLSchema,
): SchemaChange {
  const perhaps = type === 'FIELD_REMOVED' ? successorOf(path, all, previous, next) : undefined;
  const change = { severity: SEVERITIES[criticality.level], type: String(type), path, message, usedBy: [] };
  return perhaps === undefined ? change : { ...change, perhaps };
}

/** Returns the only new field of the parent that has the type of the removed field, which suggests a rename. */
function successorOf(path: string, all: readonly Change[], previous: GraphQLSchema, next: GraphQLSchema): string | undefined {
  const type = typeOfField(previous, path);
  const [parent = ''] = path.split('.');
  const added = all.flatMap((change) =>
    change.type === 'FIELD_ADDED' && change.path?.startsWith(`${parent}.`) === true ? [change.path] : [],
  );
  const alike = added.filter((other) => typeOfField(next, other) === type);
  return alike.length === 1 ? alike[0] : undefined;
}

function typeOfField(schema: GraphQLSchema, path: string): string | undefined {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  return type !== undefined && 'getFields' in type ? String(type.getFields()[fieldName]?.type) : undefined;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
