import { type DocumentNode, type GraphQLError, type GraphQLSchema, specifiedRules, validate, type ValidationRule } from 'graphql';
import { deferLabelRule } from './defer-label-rule.ts';
import { deferOperationRule } from './defer-operation-rule.ts';
import { type OperationFault, OperationRefused } from './errors.ts';
import { reservedNameRule } from './reserved-name-rule.ts';
import { rootTypeRule } from './root-type-rule.ts';
import { toFault } from './to-fault.ts';

export interface ValidationSettings {
  /** Faults that are reported before validation stops. @unit faults */
  readonly maxErrors: number;
  /** Leave out "Did you mean …", which would spell out a schema that is not shown. */
  readonly hideSuggestions: boolean;
}

const RULES: readonly ValidationRule[] = [...specifiedRules, rootTypeRule, reservedNameRule, deferLabelRule, deferOperationRule];

/** How graphql-js says that it stopped. It is not a fault of the document. */
const STOPPED = 'Too many validation errors, error limit reached. Validation aborted.';

/**
 * Validates a document by all rules of the specification (GraphQL, section 5).
 *
 * @throws OperationRefused `GRAPHQL_VALIDATION_FAILED`, with at most `maxErrors` faults
 */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): void {
  const faults = findFaults(schema, document, settings);
  if (faults.length > 0) throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', faults);
}

function findFaults(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): readonly OperationFault[] {
  try {
    return validate(schema, document, RULES, settings)
      .filter(({ message }) => message !== STOPPED)
      .map(settings.hideSuggestions ? withoutSuggestion : (error) => error)
      .map(toFault);
  } catch (error) {
    // Some rules recurse as deep as the document does.
    if (error instanceof RangeError) return [{ message: 'The document is nested too deeply.' }];
    throw error;
  }
}

/** One rule suggests how to write what the client wrote, whatever it is told; hiding means that nothing is suggested. */
function withoutSuggestion({ message, locations }: GraphQLError): Pick<GraphQLError, 'message' | 'locations'> {
  return { message: message.replace(SUGGESTION, ''), locations };
}

const SUGGESTION = / Did you mean [^\n]*\?$/;
