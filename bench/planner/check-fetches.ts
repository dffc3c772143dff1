import {
  type FieldDefinition,
  type InterfaceType,
  type ObjectType,
  type Schema,
  type Supergraph,
  baseType,
  federationMetadata,
  isCompositeType,
} from '@apollo/federation-internals';
import type { FetchNode, PlanNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import { Kind, type SelectionNode, type SelectionSetNode, parse } from 'graphql';

/**
 * Detects Apollo plans that cannot be executed. Such a plan selects a field that is external-only in the subgraph, or a field without its
 * required fields. Apollo creates such plans when a required field has requirements itself.
 *
 * @throws Error when the plan has such a fetch
 */
export function checkFetches(supergraph: Supergraph, node: PlanNode): void {
  if (node.kind === 'Flatten') checkFetches(supergraph, node.node);
  if (node.kind === 'Sequence' || node.kind === 'Parallel') for (const each of node.nodes) checkFetches(supergraph, each);
  const schema = node.kind === 'Fetch' ? supergraph.subgraphs().get(node.serviceName)?.schema : undefined;
  if (node.kind === 'Fetch' && schema !== undefined) checkFetch(schema, node);
}

const NO_NAMES: ReadonlySet<string> = new Set();

function checkFetch(schema: Schema, { operation, requires = [] }: FetchNode): void {
  const represented = new Set(requires.flatMap(representedFields));

  /** @param given Names of fields that the subgraph receives in addition to the selected ones. */
  function checkInside(typeName: string | undefined, { selections }: SelectionSetNode, given: ReadonlySet<string>): void {
    const type = typeName === undefined ? undefined : schema.type(typeName);
    const known = new Set([...given, ...fieldNames(selections)]);
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        checkInside(selection.typeCondition?.name.value ?? typeName, selection.selectionSet, known);
        continue;
      }
      const field = type?.kind === 'ObjectType' || type?.kind === 'InterfaceType' ? type.field(selection.name.value) : undefined;
      if (field !== undefined) checkField(schema, field, known);
      if (selection.selectionSet === undefined) continue;
      checkInside(typeInside(field), selection.selectionSet, selection.name.value === '_entities' ? represented : NO_NAMES);
    }
  }

  for (const definition of parse(operation).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      checkInside(schema.schemaDefinition.rootType(definition.operation)?.name, definition.selectionSet, NO_NAMES);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) checkInside(definition.typeCondition.name.value, definition.selectionSet, NO_NAMES);
  }
}

function checkField(schema: Schema, field: FieldDefinition<InterfaceType> | FieldDefinition<ObjectType>, known: ReadonlySet<string>): void {
  const metadata = federationMetadata(schema);
  if (metadata === undefined) return;
  if (metadata.isFieldFullyExternal(field)) throw new Error(`The subgraph does not resolve ${field.coordinate}.`);
  for (const applied of field.appliedDirectivesOf(metadata.requiresDirective())) {
    const missing = namesIn(String(applied.arguments().fields)).filter((name) => !known.has(name));
    if (missing.length > 0) throw new Error(`The plan selects ${field.coordinate} without the required fields ${missing.join(', ')}.`);
  }
}

function typeInside(field: FieldDefinition<InterfaceType> | FieldDefinition<ObjectType> | undefined): string | undefined {
  const type = field?.type === undefined ? undefined : baseType(field.type);
  return type !== undefined && isCompositeType(type) ? type.name : undefined;
}

function representedFields(selection: QueryPlanSelectionNode): readonly string[] {
  return selection.kind === 'InlineFragment' ? selection.selections.flatMap(representedFields) : [selection.name];
}

/** Lists the names of the fields of a selection set, including those in its inline fragments. */
function fieldNames(selections: readonly SelectionNode[]): readonly string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldNames(selection.selectionSet.selections) : [];
  });
}

/** Lists the names of the top-level fields of a text such as `id owner { id }`. */
function namesIn(fields: string): readonly string[] {
  const [definition] = parse(`{ ${fields} }`).definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? fieldNames(definition.selectionSet.selections) : [];
}
