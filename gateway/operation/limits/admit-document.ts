import type { OperationTypeNode, SourceLocation } from 'graphql';
import type { ErrorCode } from '../../platform/errors.ts';
import { type RequestError, OperationRejected } from '../operation-rejected.ts';
import { type LimitModes, type LimitName, modeOf } from './limit-mode.ts';
import { countWatchedFields, createOperationMeasure, type OperationMetrics } from './measure-operation.ts';
import { outlineDocument } from './outline-document.ts';
import type { DefinitionOutline, DocumentOutline } from './outline-selections.ts';

/** Returns the line and the column of an offset in a text. Both start at 1, as in graphql-js. Allocates nothing for the preceding lines. */
export function locationInText(text: string, offset: number): SourceLocation {
  let [line, lineStart] = [1, 0];
  for (let position = 0; position < offset; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(position + 1) === LINE_FEED) position += 1;
    line += 1;
    lineStart = position + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Limits on the size of a document. All except the directives are counted with fragments expanded. */
export interface DocumentLimits {
  /** Number of fields on the longest path; a root field has depth 1. @unit levels */
  readonly maxDepth: number;
  /** The same limit for `__schema` and `__type`, which do not count toward `maxDepth`. @unit levels */
  readonly maxIntrospectionDepth: number;
  /** Aliases of an operation. Aliases in introspection are counted separately against the same limit. @unit aliases */
  readonly maxAliases: number;
  /** Root fields of an operation. `__schema` and `__type` do not count. @unit fields */
  readonly maxRootFields: number;
  /** Fields and fragments of an operation. Selections in introspection are counted separately against the same limit. @unit selections */
  readonly maxSelections: number;
  /** Directives of a document. @unit directives */
  readonly maxDirectives: number;
  /** Directives at one location. @unit directives */
  readonly maxDirectivesPerLocation: number;
  /** Operations of a document. @unit operations */
  readonly maxOperations: number;
  /** Root fields that an operation can select at most once, such as `Mutation.createPayment`. */
  readonly singleUse: readonly string[];
}

/** A limit that a document exceeds. */
export interface Excess {
  readonly limit: LimitName;
  readonly code: ErrorCode;
  readonly requestError: RequestError;
  /** Setting of the limit. */
  readonly setting: string;
}

export interface AdmissionSettings {
  /** Maximum length of a document. The same maximum applies to comments and to lines in block strings. @unit tokens */
  readonly maxTokens: number;
  readonly limits: DocumentLimits & LimitModes;
}

/**
 * Rejects a text that exceeds a limit in any of its operations, before it is parsed. Takes time linear in the text and almost no memory.
 *
 * @returns the exceeded limits whose mode is `measure`; undefined for a text that is not an executable document, whose limits are then
 * unknown
 * @throws OperationRejected `TOKEN_LIMIT_EXCEEDED`, `DEPTH_LIMIT_EXCEEDED`, `ALIAS_LIMIT_EXCEEDED`, `ROOT_FIELD_LIMIT_EXCEEDED`,
 * `SELECTION_LIMIT_EXCEEDED`, `DIRECTIVE_LIMIT_EXCEEDED`; `GRAPHQL_VALIDATION_FAILED` for too many operations
 */
export type AdmitDocument = (text: string) => readonly Excess[] | undefined;

export function createAdmission(settings: AdmissionSettings): AdmitDocument {
  const { limits } = settings;
  const findExcesses = createExcessSearch(settings);
  return (text) => {
    const excesses = findExcesses(text);
    if (excesses === undefined || excesses.length === 0) return excesses;
    const first = excesses.find(({ limit }) => modeOf(limits, limit) === 'enforce');
    if (first !== undefined) throw new OperationRejected(first.code, [first.requestError], { setting: first.setting });
    return excesses;
  };
}

/** Creates a search for all limits that a text exceeds. It stops at the first limit after which searching for others is too expensive. */
export function createExcessSearch({ maxTokens, limits }: AdmissionSettings): AdmitDocument {
  const isLengthEnforced = modeOf(limits, 'tokens') === 'enforce';
  const areOperationsEnforced = modeOf(limits, 'operations') === 'enforce';
  const ceilings = ceilingsOf(limits);
  const options = {
    maxTokens: isLengthEnforced ? maxTokens : Number.MAX_SAFE_INTEGER,
    watched: limits.singleUse.map((coordinate) => coordinate.slice(coordinate.indexOf('.') + 1)),
  };
  return (text) => {
    const outline = outlineDocument(text, options);
    if (outline === undefined) return undefined;
    const found: Excess[] = [];
    const checked: CheckedDocument = { text, outline, limits, found };
    checkLength(checked, maxTokens);
    if (outline.isCut) return found;
    checkOperations(checked);
    // Stop here: each operation would have to be measured.
    if (outline.operations.length > limits.maxOperations && areOperationsEnforced) return found;
    const measureOperation = createOperationMeasure(outline, ceilings);
    for (const operation of outline.operations) checkMetrics(checked, operation, measureOperation(operation));
    checkDirectives(checked);
    if (limits.singleUse.length > 0) {
      for (const operation of outline.operations) checkSingleUse(checked, operation);
    }
    return found;
  };
}

/** A document, and the exceeded limits found in it. */
interface CheckedDocument {
  readonly text: string;
  readonly outline: DocumentOutline;
  readonly limits: DocumentLimits;
  readonly found: Excess[];
}

/** Returns counts of one above each limit, which is enough to detect that the limit is exceeded. */
function ceilingsOf({ maxDepth, maxIntrospectionDepth, maxAliases, maxRootFields, maxSelections }: DocumentLimits): OperationMetrics {
  return {
    depth: maxDepth + 1,
    aliases: maxAliases + 1,
    selections: maxSelections + 1,
    introspectionDepth: maxIntrospectionDepth + 1,
    introspectionAliases: maxAliases + 1,
    introspectionSelections: maxSelections + 1,
    rootFields: maxRootFields + 1,
  };
}

function checkLength({ outline, found }: CheckedDocument, maxTokens: number): void {
  const { tokens, comments, blockLines } = outline;
  const check = (count: number, unit: string): void => {
    if (count <= maxTokens) return;
    const message = `The document has more than ${maxTokens} ${unit}.`;
    found.push({ limit: 'tokens', code: 'TOKEN_LIMIT_EXCEEDED', requestError: { message }, setting: 'graphql.maxTokens' });
  };
  check(tokens, 'tokens');
  check(comments, 'comments');
  check(blockLines, 'lines in block strings');
}

function checkOperations({ text, outline: { operations }, limits: { maxOperations }, found }: CheckedDocument): void {
  const tooMany = operations[maxOperations];
  if (tooMany === undefined) return;
  const message = `The document has ${operations.length} operations, but at most ${maxOperations} are allowed.`;
  const requestError = errorAt(tooMany.start, text, message);
  found.push({ limit: 'operations', code: 'GRAPHQL_VALIDATION_FAILED', requestError, setting: 'limits.maxOperations' });
}

function checkMetrics({ text, limits, found }: CheckedDocument, operation: DefinitionOutline, metrics: OperationMetrics): void {
  const check = (setting: MetricSetting, count: number, unit: string): void => {
    const max = limits[setting];
    if (count <= max) return;
    const message = `${titleOf(operation)} has more than ${max} ${unit}, with its fragments expanded.`;
    const requestError = errorAt(operation.start, text, message);
    found.push({ ...METRIC_LIMITS[setting], requestError, setting: `limits.${setting}` });
  };
  check('maxDepth', metrics.depth, 'levels');
  check('maxIntrospectionDepth', metrics.introspectionDepth, 'levels of introspection');
  check('maxAliases', metrics.aliases, 'aliases');
  check('maxAliases', metrics.introspectionAliases, 'aliases in introspection');
  check('maxRootFields', metrics.rootFields, 'root fields');
  check('maxSelections', metrics.selections, 'selections');
  check('maxSelections', metrics.introspectionSelections, 'selections in introspection');
}

const METRIC_LIMITS = {
  maxDepth: { limit: 'depth', code: 'DEPTH_LIMIT_EXCEEDED' },
  maxIntrospectionDepth: { limit: 'depth', code: 'DEPTH_LIMIT_EXCEEDED' },
  maxAliases: { limit: 'aliases', code: 'ALIAS_LIMIT_EXCEEDED' },
  maxRootFields: { limit: 'rootFields', code: 'ROOT_FIELD_LIMIT_EXCEEDED' },
  maxSelections: { limit: 'selections', code: 'SELECTION_LIMIT_EXCEEDED' },
} as const satisfies Partial<Record<keyof DocumentLimits, Pick<Excess, 'limit' | 'code'>>>;

type MetricSetting = keyof typeof METRIC_LIMITS;

/**
 * Checks that single-use fields are selected once. Several of them in one operation would all use the data of the request, such as its
 * idempotency key.
 */
function checkSingleUse({ text, outline, limits: { singleUse }, found }: CheckedDocument, operation: DefinitionOutline): void {
  const prefix = operation.operation === undefined ? '' : ROOT_PREFIXES[operation.operation];
  for (const [name, count] of countWatchedFields(outline, operation)) {
    if (count < 2 || !singleUse.includes(`${prefix}${name}`)) continue;
    const message = `${titleOf(operation)} has "${name}" more than once, with its fragments expanded.`;
    const requestError = errorAt(operation.start, text, message);
    found.push({ limit: 'singleUse', code: 'ALIAS_LIMIT_EXCEEDED', requestError, setting: 'limits.singleUse' });
  }
}

/** Prefixes of root fields. Federation uses these names for the root types of a supergraph. */
const ROOT_PREFIXES: Readonly<Record<OperationTypeNode, string>> = {
  query: 'Query.',
  mutation: 'Mutation.',
  subscription: 'Subscription.',
};

function checkDirectives({ text, outline, limits, found }: CheckedDocument): void {
  const { directives, mostDirectives, fullestPosition } = outline;
  const { maxDirectives, maxDirectivesPerLocation } = limits;
  if (directives > maxDirectives) {
    const message = `The document has ${directives} directives, but at most ${maxDirectives} are allowed.`;
    found.push({ limit: 'directives', code: 'DIRECTIVE_LIMIT_EXCEEDED', requestError: { message }, setting: 'limits.maxDirectives' });
  }
  if (mostDirectives > maxDirectivesPerLocation) {
    const message = `One location has ${mostDirectives} directives, but at most ${maxDirectivesPerLocation} are allowed.`;
    const requestError = errorAt(fullestPosition, text, message);
    found.push({ limit: 'directives', code: 'DIRECTIVE_LIMIT_EXCEEDED', requestError, setting: 'limits.maxDirectivesPerLocation' });
  }
}

function titleOf({ name }: DefinitionOutline): string {
  if (name === '') return 'The operation';
  return `The operation "${name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`}"`;
}

/** Maximum length of an operation name in a message. @unit UTF-16 code units */
const LONGEST_NAME = 100;

function errorAt(start: number, text: string, message: string): RequestError {
  return { message, locations: [locationInText(text, start)] };
}
