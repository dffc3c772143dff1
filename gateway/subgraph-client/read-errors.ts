import { INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';

/** Longest message of a subgraph that is passed on, or logged. @unit UTF-16 code units */
const MAX_MESSAGE_LENGTH = 1_024;

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/**
 * Codes that were not set by whoever wrote the subgraph, but by its server: for a failure nobody foresaw, and for an
 * operation that the client has not written.
 */
const NOT_FOR_CLIENTS = new Set([INTERNAL, 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

/** The `errors` of a subgraph, reduced to what may be passed on. */
export interface ReadErrors {
  readonly errors: readonly SubgraphError[];
  /** Messages that were replaced, for the log. */
  readonly masked: readonly string[];
}

/**
 * Reads the `errors` of a response. A message passes together with a code that was set on purpose; every other is
 * replaced. Nothing else of `extensions` passes.
 *
 * @param maxErrors errors that are kept; further ones are dropped unread
 * @returns undefined when it is not a list of errors (GraphQL, section 7.1.2)
 */
export function readErrors(value: unknown, maxErrors: number): ReadErrors | undefined {
  if (!Array.isArray(value)) return undefined;
  const errors: SubgraphError[] = [];
  const masked: string[] = [];
  for (const entry of (value as readonly unknown[]).slice(0, maxErrors)) {
    if (!isRecord(entry) || typeof entry['message'] !== 'string') return undefined;
    const code = readCode(entry['extensions']);
    const said = entry['message'].slice(0, MAX_MESSAGE_LENGTH);
    if (code === INTERNAL) masked.push(said);
    const message = code === INTERNAL ? INTERNAL_ERROR_MESSAGE : said;
    const path = entry['path'];
    errors.push(isPath(path) ? { message, code, path } : { message, code });
  }
  return { errors, masked };
}

function readCode(extensions: unknown): string {
  const code = isRecord(extensions) ? extensions['code'] : undefined;
  return typeof code === 'string' && CODE.test(code) && !NOT_FOR_CLIENTS.has(code) ? code : INTERNAL;
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' || Number.isSafeInteger(key));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
