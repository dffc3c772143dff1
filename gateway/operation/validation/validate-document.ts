import {
  type DocumentNode,
  ExecutableDefinitionsRule,
  type GraphQLError,
  type GraphQLSchema,
  OverlappingFieldsCanBeMergedRule,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  type ValidationRule,
} from 'graphql';
import { deferLabelRule, deferOperationRule } from './defer-rules.ts';
import { type OperationFault, OperationRefused, toFault } from '../operation-refused.ts';
import { findErrors } from './find-errors.ts';
import { overlappingFieldsRule } from './overlapping-fields/overlapping-fields-rule.ts';
import { passedDirectiveRule } from './passed-directive-rule.ts';
import { reservedNameRule } from './reserved-name-rule.ts';
import { rootTypeRule, subscriptionRootRule } from './root-rules.ts';

export interface ValidationSettings {
  /** Faults that are reported before validation stops. @unit faults */
  readonly maxErrors: number;
  /** Leave out "Did you mean …", which would spell out a schema that is not shown. */
  readonly hideSuggestions: boolean;
}

const OWN_RULES: readonly ValidationRule[] = [
  rootTypeRule,
  subscriptionRootRule,
  reservedNameRule,
  deferLabelRule,
  deferOperationRule,
  passedDirectiveRule,
];

/** Those that rules of our own stand for. */
const REPLACED: ReadonlySet<ValidationRule> = new Set([OverlappingFieldsCanBeMergedRule, SingleFieldSubscriptionsRule]);

/** The rule that holds fields against each other comes last: it takes for granted what the others find out. */
const RULES: readonly (readonly ValidationRule[])[] = [
  [...specifiedRules.filter((rule) => !REPLACED.has(rule)), ...OWN_RULES],
  [overlappingFieldsRule],
];

/**
 * Validates a document by all rules of the specification (GraphQL, section 5).
 *
 * @throws OperationRefused `GRAPHQL_VALIDATION_FAILED`, with at most `maxErrors` faults
 */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): void {
  for (const rules of RULES) {
    const faults = findFaults(schema, document, rules, settings);
    if (faults.length > 0) throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', faults);
  }
}

/**
 * Refuses a document for the definitions in it that are no operations and no fragments. For one that nothing else is known of: it is not
 * looked at by any other rule, which might take long.
 *
 * @throws OperationRefused `GRAPHQL_VALIDATION_FAILED`
 */
export function refuseDefinitions(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): never {
  const faults = findFaults(schema, document, [ExecutableDefinitionsRule], settings);
  throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', faults.length > 0 ? faults : [{ message: 'The document is not executable.' }]);
}

function findFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
  settings: ValidationSettings,
): readonly OperationFault[] {
  try {
    return findErrors(schema, document, { rules, maxErrors: settings.maxErrors })
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
