import { type FieldNode, Kind, type OperationDefinitionNode } from 'graphql';
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
  /** Maps arguments of the root field to client-facing names. The name is empty if the argument is the body. */
  readonly names: ReadonlyMap<string, string>;
  /** Client-facing names of body fields that differ from the graph. */
  readonly bodyNames: ReadonlyMap<string, string>;
}

const PARTS = ['field', 'message', 'code'];

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
    if (result.parent.getFields()['errors'] === undefined) return undefined;
    const hint = 'Select `errors @userErrors { field message code }` next to the result.';
    report.at(
      payload.node,
      'The payload has the field `errors`, but the operation does not select it, so business errors would be lost.',
      hint,
    );
    return undefined;
  }
  const selected = new Set(
    errors.selectionSet?.selections.map((part) => (part.kind === Kind.FIELD && part.alias === undefined ? part.name.value : '')),
  );
  if (PARTS.some((part) => !selected.has(part))) {
    report.at(errors, '@userErrors requires the fields `field`, `message` and `code`.', 'Select `{ field message code }` without aliases.');
  }
  const path = [...steps.slice(0, -1).map(({ node }) => responseName(node)), responseName(errors)];
  const version = errors.selectionSet?.selections.find((part) => part.kind === Kind.FIELD && useOf(part, 'version') !== undefined);
  const currentVersion = version?.kind === Kind.FIELD ? { currentVersion: responseName(version) } : {};
  return { path, ...currentVersion, names: compileArgumentNames(operation, steps[0]?.node), bodyNames: bodyNamesOf(operation) };
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
    if (useOf(definition, 'body') !== undefined) restNames.set(variable, '');
    else if (useOf(definition, 'idempotencyKey') !== undefined) restNames.set(variable, 'Idempotency-Key');
    else if (useOf(definition, 'ifMatch') !== undefined) restNames.set(variable, 'If-Match');
    else restNames.set(variable, source?.path ?? source?.query ?? source?.header ?? variable);
  }
  const names = new Map<string, string>();
  for (const { name, value } of root?.arguments ?? []) {
    const restName = value.kind === Kind.VARIABLE ? restNames.get(value.name.value) : undefined;
    if (restName !== undefined) names.set(name.value, restName);
  }
  return names;
}
