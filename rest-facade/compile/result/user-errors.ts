import { type FieldNode, Kind, type ObjectValueNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { useOf } from '../documents/directives.ts';
import { responseName, type ResultStep } from '../documents/selections.ts';
import type { ProblemReport } from '../mapping-problems.ts';

/** Position of business errors in the data. */
export interface UserErrorsMapping {
  readonly path: readonly string[];
  /**
   * Response name of the field with the current version, if a write found another version than expected. @defaultValue entries do not
   * return a version
   */
  readonly currentVersion?: string;
  /**
   * Maps arguments of the root field, and fields of object literals in them (`input.title`), to client-facing names. The name is empty if
   * the value is the body.
   */
  readonly names: ReadonlyMap<string, string>;
  /** Client-facing names of body fields that differ from the graph. */
  readonly bodyNames: ReadonlyMap<string, string>;
}

/** Names of fields that list business errors. */
export const ERROR_FIELDS = ['errors', 'userErrors'] as const;

/** Finds `@userErrors` next to the result. Reports a payload that has errors but does not select them. */
export function compileUserErrors(
  operation: OperationDefinitionNode,
  steps: readonly ResultStep[],
  report: ProblemReport,
): UserErrorsMapping | undefined {
  const payload = steps.at(-2);
  const result = steps.at(-1);
  if (payload === undefined || result === undefined) return undefined;
  const fields = (payload.node.selectionSet?.selections ?? []).filter((selection): selection is FieldNode => selection.kind === Kind.FIELD);
  const errors = fields.find((field) => useOf(field, 'userErrors') !== undefined);
  if (errors === undefined) {
    const lost = ERROR_FIELDS.find((name) => result.parent.getFields()[name] !== undefined);
    if (lost === undefined) return undefined;
    const hint = `Select \`${lost} @userErrors { field message code }\` next to the result.`;
    report.at(
      payload.node,
      `The payload has the field \`${lost}\`, but the operation does not select it, so business errors would be lost.`,
      hint,
    );
    return undefined;
  }
  if (!selectedNames(errors.selectionSet).includes('message'))
    report.at(
      errors,
      '@userErrors requires the field `message`.',
      'Select `{ field message code }`, as far as the graph has them. Give fields with other names an alias, for example `message: text`.',
    );
  const path = [...steps.slice(0, -1).map(({ node }) => responseName(node)), responseName(errors)];
  const version = errors.selectionSet?.selections.find((part) => part.kind === Kind.FIELD && useOf(part, 'version') !== undefined);
  const currentVersion = version?.kind === Kind.FIELD ? { currentVersion: responseName(version) } : {};
  return { path, ...currentVersion, names: compileArgumentNames(operation, steps[0]?.node), bodyNames: bodyNamesOf(operation) };
}

/** Returns the response names of a selection, for every possible type. */
function selectedNames(selectionSet: SelectionSetNode | undefined): readonly string[] {
  return (selectionSet?.selections ?? []).flatMap((part) => {
    if (part.kind === Kind.FIELD) return [responseName(part)];
    return part.kind === Kind.INLINE_FRAGMENT ? selectedNames(part.selectionSet) : [];
  });
}

function bodyNamesOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, string> {
  const names = variableDefinitions.flatMap((definition) => useOf(definition, 'body')?.values.names ?? []);
  return new Map(names.map(({ field, as }) => [field, as]));
}

/** Compiles the client-facing names of the arguments of the root field. */
function compileArgumentNames(operation: OperationDefinitionNode, root: FieldNode | undefined): ReadonlyMap<string, string> {
  const restNames = new Map<string, string>();
  for (const definition of operation.variableDefinitions ?? []) {
    const source = useOf(definition, 'in')?.values;
    const variable = definition.variable.name.value;
    const body = useOf(definition, 'body');
    if (body !== undefined) restNames.set(variable, body.values.field ?? '');
    else if (useOf(definition, 'idempotencyKey') !== undefined) restNames.set(variable, 'Idempotency-Key');
    else if (useOf(definition, 'ifMatch') !== undefined) restNames.set(variable, 'If-Match');
    else restNames.set(variable, source?.path ?? source?.query ?? source?.header ?? variable);
  }
  const names = new Map<string, string>();
  const addNames = (nodes: FieldNode['arguments'] | ObjectValueNode['fields'] = [], prefix: string): void => {
    for (const { name, value } of nodes) {
      const restName = value.kind === Kind.VARIABLE ? restNames.get(value.name.value) : undefined;
      if (restName !== undefined) names.set(prefix + name.value, restName);
      else if (value.kind === Kind.OBJECT) addNames(value.fields, `${prefix}${name.value}.`);
    }
  };
  addNames(root?.arguments, '');
  return names;
}
