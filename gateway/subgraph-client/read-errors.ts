import { type ErrorCode, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';

/** Longest message of a subgraph that is passed on, or logged. @unit UTF-16 code units */
const MAX_MESSAGE_LENGTH = 1_024;

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/**
 * Codes of the catalogue that are about the exchange between client and gateway. A subgraph that sends one speaks of its own exchange
 * with the gateway, and must not make a client believe that the gateway has refused its request.
 */
const OF_THE_GATEWAY: ReadonlySet<string> = new Set<ErrorCode>([
  'INTERNAL_SERVER_ERROR',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'CSRF_BLOCKED',
  'BATCHING_DISABLED',
  'INTROSPECTION_DISABLED',
  'TOKEN_LIMIT_EXCEEDED',
  'DEPTH_LIMIT_EXCEEDED',
  'ALIAS_LIMIT_EXCEEDED',
  'ROOT_FIELD_LIMIT_EXCEEDED',
  'SELECTION_LIMIT_EXCEEDED',
  'DIRECTIVE_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_QUERY_HASH_MISMATCH',
  'PERSISTED_QUERY_ID_REQUIRED',
  'PERSISTED_QUERY_NOT_IN_LIST',
  'TLS_REQUIRED',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'METHOD_NOT_IMPLEMENTED',
  'NO_SUPERGRAPH',
]);

/** Which messages of one subgraph clients may read. */
export interface ErrorRules {
  /** Named in messages where all of them pass. */
  readonly subgraph?: string;
  /** Codes besides those of the catalogue whose messages pass. @defaultValue none */
  readonly errorCodes?: readonly string[];
  /** Whether messages without such a code pass as well, for development. @defaultValue `listed` */
  readonly errorMessages?: 'listed' | 'all' | undefined;
}

const CATALOGUE_ONLY: ErrorRules = {};

/** The `errors` of a subgraph, reduced to what may be passed on. */
export interface ReadErrors {
  readonly errors: readonly SubgraphError[];
  /** Messages that were replaced, for the log. */
  readonly masked: readonly string[];
}

/**
 * Reads the `errors` of a response. A message passes together with a code of the catalogue or of `errorCodes`; every other
 * error becomes `INTERNAL_SERVER_ERROR` with a constant text. Nothing else of `extensions` passes.
 *
 * @param maxErrors errors that are kept; further ones are dropped unread
 * @returns undefined when it is not a list of errors (GraphQL, section 7.1.2)
 */
export function readErrors(value: unknown, maxErrors: number, rules: ErrorRules = CATALOGUE_ONLY): ReadErrors | undefined {
  if (!Array.isArray(value)) return undefined;
  const errors: SubgraphError[] = [];
  const masked: string[] = [];
  for (const entry of (value as readonly unknown[]).slice(0, maxErrors)) {
    if (!isRecord(entry) || typeof entry['message'] !== 'string') return undefined;
    const code = readCode(entry['extensions'], rules);
    const said = entry['message'].slice(0, MAX_MESSAGE_LENGTH);
    if (code === INTERNAL) masked.push(said);
    const message = code === INTERNAL ? messageFor(said, rules) : said;
    const path = entry['path'];
    errors.push(isPath(path) ? { message, code, path } : { message, code });
  }
  return { errors, masked };
}

function readCode(extensions: unknown, { errorCodes = [] }: ErrorRules): string {
  const code = isRecord(extensions) ? extensions['code'] : undefined;
  if (typeof code !== 'string' || !CODE.test(code)) return INTERNAL;
  const isListed = isErrorCode(code) ? !OF_THE_GATEWAY.has(code) : errorCodes.includes(code);
  return isListed ? code : INTERNAL;
}

function messageFor(said: string, { errorMessages, subgraph = '' }: ErrorRules): string {
  return errorMessages === 'all' ? `Subgraph ${JSON.stringify(subgraph)}: ${said}` : INTERNAL_ERROR_MESSAGE;
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' || Number.isSafeInteger(key));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
