import {
  type DocumentNode,
  ExecutableDefinitionsRule,
  type GraphQLError,
  type GraphQLSchema,
  KnownTypeNamesRule,
  OverlappingFieldsCanBeMergedRule,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  type ValidationRule,
} from 'graphql';
import { deferLabelRule, deferOperationRule } from './defer-rules.ts';
import { type RequestError, OperationRejected, toRequestError } from '../operation-rejected.ts';
import { findErrors } from './find-errors.ts';
import { locateErrors } from './locate-errors.ts';
import { knownTypeNamesRule } from './known-type-names-rule.ts';
import { overlappingFieldsRule } from './overlapping-fields/overlapping-fields-rule.ts';
import { passedDirectiveRule } from './passed-directive-rule.ts';
import { reservedNameRule } from './reserved-name-rule.ts';
import { rootTypeRule, subscriptionRootRule } from './root-rules.ts';

export interface ValidationSettings {
  /** Maximum number of errors to report before validation stops. @unit errors */
  readonly maxErrors: number;
  /** Removes "Did you mean …" from messages, because suggestions reveal the names of a hidden schema. */
  readonly hideSuggestions: boolean;
  /**
   * Parses the document with locations. Called only if there are errors, because most documents are valid, and parsing takes half as long
   * again with locations. @defaultValue the document has locations
   */
  readonly locate?: (() => DocumentNode) | undefined;
}

const OWN_RULES: readonly ValidationRule[] = [
  rootTypeRule,
  subscriptionRootRule,
  reservedNameRule,
  deferLabelRule,
  deferOperationRule,
  passedDirectiveRule,
];

/** Rules of graphql-js that the gateway replaces with its rules. */
const REPLACED: ReadonlySet<ValidationRule> = new Set([OverlappingFieldsCanBeMergedRule, SingleFieldSubscriptionsRule]);

/** Rules by pass. The rule that compares fields runs last, because it relies on the checks of the others. */
const RULES: readonly (readonly ValidationRule[])[] = [
  [
    ...specifiedRules.filter((rule) => !REPLACED.has(rule)).map((rule) => (rule === KnownTypeNamesRule ? knownTypeNamesRule : rule)),
    ...OWN_RULES,
  ],
  [overlappingFieldsRule],
];

/**
 * Validates a document with all rules of the specification (GraphQL, section 5).
 *
 * @throws OperationRejected `GRAPHQL_VALIDATION_FAILED`, with at most `maxErrors` errors
 */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): void {
  for (const rules of RULES) requireNoErrors(schema, document, rules, settings);
}

/** Validates a document like {@link validateDocument}, and calls `pause` between the passes. */
export async function validateInSteps(
  schema: GraphQLSchema,
  document: DocumentNode,
  settings: ValidationSettings,
  pause: () => Promise<unknown>,
): Promise<void> {
  for (const [index, rules] of RULES.entries()) {
    if (index > 0) await pause();
    requireNoErrors(schema, document, rules, settings);
  }
}

function requireNoErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
  settings: ValidationSettings,
): void {
  const errors = findIssues(schema, document, rules, settings);
  if (errors.length > 0) throw new OperationRejected('GRAPHQL_VALIDATION_FAILED', errors);
}

/**
 * Rejects a document because of its definitions that are neither operations nor fragments. Used for documents whose size is unknown: no
 * other rule runs, since it might take long.
 *
 * @throws OperationRejected `GRAPHQL_VALIDATION_FAILED`
 */
export function refuseDefinitions(schema: GraphQLSchema, document: DocumentNode, settings: ValidationSettings): never {
  const errors = findIssues(schema, document, [ExecutableDefinitionsRule], settings);
  throw new OperationRejected('GRAPHQL_VALIDATION_FAILED', errors.length > 0 ? errors : [{ message: 'The document is not executable.' }]);
}

function findIssues(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
  settings: ValidationSettings,
): readonly RequestError[] {
  const { locate } = settings;
  try {
    const errors = findErrors(schema, document, { rules, ...settings });
    return (errors.length > 0 && locate !== undefined ? locateErrors(errors, document, locate()) : errors).map((error) =>
      toRequestError(settings.hideSuggestions ? withoutSuggestion(error) : error),
    );
  } catch (error) {
    // Some rules recurse to the depth of the document.
    if (error instanceof RangeError) return [{ message: 'The document is nested too deeply.' }];
    throw error;
  }
}

/** Removes the suggestion of a message. One rule always adds suggestions, regardless of the option. */
function withoutSuggestion({
  message,
  locations,
}: Pick<GraphQLError, 'message' | 'locations'>): Pick<GraphQLError, 'message' | 'locations'> {
  return { message: message.replace(SUGGESTION, ''), locations };
}

const SUGGESTION = / Did you mean [^\n]*\?$/;
