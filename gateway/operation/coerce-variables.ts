import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { coercePlainVariables } from './coerce-plain-variables.ts';
import { OperationRefused } from './errors.ts';
import { toFault } from './to-fault.ts';
import { findUnsafeVariable } from './unsafe-variables.ts';

export interface VariableSettings {
  /** Deepest nesting of lists and objects in the value of a variable. @unit levels */
  readonly maxDepth: number;
  /** Faults that are reported before coercion stops. @unit faults */
  readonly maxErrors: number;
  /** Leave out "Did you mean …", which would spell out a schema that is not shown. */
  readonly hideSuggestions: boolean;
}

/**
 * The variables of a request as the operation declares them (GraphQL, section 6.1.2): checked, defaulted, and
 * nothing that is not declared.
 *
 * @throws OperationRefused `BAD_USER_INPUT`, one fault per value that does not fit
 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: Pick<OperationDefinitionNode, 'variableDefinitions'>,
  raw: Readonly<Record<string, unknown>>,
  { maxDepth, maxErrors, hideSuggestions }: VariableSettings,
): Readonly<Record<string, unknown>> {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return NONE;
  const plain = coercePlainVariables(schema, definitions, raw);
  if (plain !== undefined) return plain;
  for (const { variable } of definitions) {
    const unsafe = findUnsafeVariable(variable.name.value, raw, maxDepth);
    if (unsafe !== undefined) throw new OperationRefused('BAD_USER_INPUT', [{ message: unsafe }]);
  }
  const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors, hideSuggestions });
  if (coerced !== undefined) return coerced;
  throw new OperationRefused(
    'BAD_USER_INPUT',
    // Without locations: the value at fault stands in the variables, not in the document.
    errors.filter(({ message }) => message !== STOPPED).map((error) => ({ message: toFault(error).message })),
  );
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});

/** How graphql-js says that it stopped. It is not a fault of the variables. */
const STOPPED = 'Too many errors processing variables, error limit reached. Execution aborted.';
