import { INTERNAL_ERROR_MESSAGE, isCodeOfSubgraphs } from '../platform/errors.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';

/** Longest message of a subgraph that is passed on, or logged. @unit UTF-16 code units */
const MAX_MESSAGE_LENGTH = 1_024;

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/** Which messages of one subgraph clients may read. */
export interface ErrorRules {
  /** Named in messages where all of them pass. */
  readonly subgraph?: string;
  /** Codes besides those of `isCodeOfSubgraphs` whose messages pass. @defaultValue none */
  readonly errorCodes?: readonly string[];
  /** Whether other errors pass as well, with their code and the name of the subgraph, for development. @defaultValue `listed` */
  readonly errorMessages?: 'listed' | 'all' | undefined;
}

const CATALOGUE_ONLY: ErrorRules = {};

/** The `errors` of a subgraph, reduced to what may be passed on. */
export interface ReadErrors {
  readonly errors: readonly SubgraphError[];
  /** Messages of errors that are not listed, for the log. */
  readonly masked: readonly string[];
}

/**
 * Reads the `errors` of a response. A message passes together with a listed code; every other error becomes
 * `INTERNAL_SERVER_ERROR` with a constant text, unless all errors pass. Nothing else of `extensions` passes.
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
    const code = readCode(entry['extensions']);
    const message = entry['message'].slice(0, MAX_MESSAGE_LENGTH);
    const isListed = code !== INTERNAL && (isCodeOfSubgraphs(code) || rules.errorCodes?.includes(code) === true);
    if (!isListed) masked.push(message);
    const error = isListed ? { message, code } : unlisted(message, code, rules);
    const path = entry['path'];
    errors.push(isPath(path) ? { ...error, path } : error);
  }
  return { errors, masked };
}

function readCode(extensions: unknown): string {
  const code = isRecord(extensions) ? extensions['code'] : undefined;
  return typeof code === 'string' && CODE.test(code) ? code : INTERNAL;
}

function unlisted(message: string, code: string, { errorMessages, subgraph = '' }: ErrorRules): SubgraphError {
  if (errorMessages !== 'all') return { message: INTERNAL_ERROR_MESSAGE, code: INTERNAL };
  return { message: `Subgraph ${JSON.stringify(subgraph)}: ${message}`, code, subgraph };
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' || Number.isSafeInteger(key));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
