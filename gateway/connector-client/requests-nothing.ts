import type { ConnectorDefinition } from '../connectors/definition/connector-definition.ts';
import { requestExpressionsOf } from '../connectors/expand/input-uses.ts';
import type { MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import { type CompileExpression, NO_INPUT } from '../connectors/template/compile-template.ts';
import { variableReadsOf } from './variable-reads.ts';

/**
 * Compiles whether a request selects no object of its batch: all expressions that read `$batch` are empty. Such a request must not be
 * sent, because many services return all objects for an empty list of ids, or reject it.
 *
 * @returns undefined if the connector has no batches
 */
export function compileRequestsNothing(
  connector: ConnectorDefinition,
  compile: CompileExpression,
): ((variables: MappingVariables) => boolean) | undefined {
  const reading = requestExpressionsOf(connector).filter((node) => variableReadsOf(node).some(({ variable }) => variable === '$batch'));
  if (reading.length === 0) return undefined;
  const mappings = reading.map(compile);
  return (variables) => mappings.every((mapping) => isEmpty(mapping(NO_INPUT, variables)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
