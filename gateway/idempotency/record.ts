import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type ErrorDetail, GatewayError, isErrorCode, statusOf } from '../platform/errors.ts';
import type { NamedHttpResponse } from '../platform/http/response/send-response.ts';

/** Properties of an execution result that decide whether the request is completed. */
export interface MutationResult {
  /** Codes of all errors; empty if the execution succeeded. */
  readonly errorCodes: readonly string[];
  /** Whether the effect may have been applied despite the errors. */
  readonly mayHaveEffect: boolean;
  /** Whether the response reports to the client what has happened. */
  readonly isConclusive: boolean;
  /** Whether the request was rejected by a condition that is not part of the fingerprint, such as `If-Match`. @defaultValue false */
  readonly isByCondition?: boolean;
}

export interface AttemptFacts {
  /** Whether the key is forwarded to the service that applies the effect, so that a retry is safe. */
  readonly isPassedDown: boolean;
  /** Whether it is certain that no request was sent to a subgraph. */
  readonly isUnsent: boolean;
}

/**
 * - `keep`: the request is completed, and repeated requests receive the same response.
 * - `release`: nothing was done, or a retry is safe.
 * - `unknown`: it is unknown whether the effect was applied.
 */
export type Retention = 'store' | 'release' | 'unknown';

/** Statuses of final decisions, which remain the same for the same request. */
const LASTING: ReadonlySet<number> = new Set([200, 400, 404, 409, 412]);

export function classify(result: MutationResult, { isPassedDown, isUnsent }: AttemptFacts): Retention {
  const { errorCodes, mayHaveEffect, isConclusive, isByCondition = false } = result;
  // A client can fetch the current version and send the same request with a new condition. The effect has not been applied yet.
  if (isByCondition && !mayHaveEffect) return 'release';
  const statuses = errorCodes.map(statusOfCode);
  if (statuses.every((status) => LASTING.has(status))) return 'store';
  if (isPassedDown || isUnsent) return 'release';
  const isOurFailure = statuses.some((status) => status >= 500);
  if (!isOurFailure && !mayHaveEffect) return 'release';
  return isConclusive && mayHaveEffect ? 'store' : 'unknown';
}

/** Returns the status of a code. Codes outside the catalogue were set by a subgraph for its callers and count as 400. */
function statusOfCode(code: string): number {
  return isErrorCode(code) ? statusOf(code) : 400;
}

/** Response as it was sent the first time, without headers that belong to one exchange: date, correlation id and budget. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: NamedHttpResponse['headers'];
  /** Response body. Undefined if it was too large to store or must not be stored. */
  readonly body: string | undefined;
  /** Authorization decisions under which the response was created, by requirement id. @defaultValue unknown */
  readonly access?: Readonly<Record<string, string>> | undefined;
}

/** Result of a request: a response, or an error that is rendered in the format of the endpoint. */
export type Completion = { readonly httpResponse: StoredResponse } | { readonly error: GatewayError };

interface StoredError {
  /** Status of the error, which can differ from that of the code. For example, a version conflict is 412 if the client sent a condition. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
}

type StoredRecord = { readonly reply: Omit<StoredResponse, 'body'> & { readonly body?: string } } | { readonly refusal: StoredError };

/** Serializes a result. @param maxBodyBytes maximum size of a stored body; larger bodies are omitted */
export function writeRecord(completion: Completion, maxBodyBytes: number): string {
  return JSON.stringify(toStoredRecord(completion, maxBodyBytes));
}

function toStoredRecord(completion: Completion, maxBodyBytes: number): StoredRecord {
  if ('error' in completion) {
    const { status, code, message, details, headers } = completion.error;
    return { refusal: { status, code, message, details, headers } };
  }
  const { status, headers, body, access } = completion.httpResponse;
  const isStored = body !== undefined && Buffer.byteLength(body) <= maxBodyBytes;
  return { reply: { status, headers, ...(isStored ? { body } : {}), ...(access === undefined ? {} : { access }) } };
}

/** Parses a stored record. @throws SyntaxError, TypeError when the record was not written by `writeRecord` */
export function readRecord(record: string): Completion {
  const storedRecord = JSON.parse(record) as StoredRecord;
  if ('reply' in storedRecord) return { httpResponse: { ...storedRecord.reply, body: storedRecord.reply.body } };
  const { status, code, message, details, headers } = storedRecord.refusal;
  if (!isErrorCode(code)) throw new TypeError(`The error code ${code} is unknown.`);
  return { error: new GatewayError(code, message, { status, details, headers }) };
}

/**
 * Computes the fingerprint of a request from JSON values in canonical form (RFC 8785), so that white space and key order do not matter.
 *
 * @throws GatewayError `BAD_REQUEST` for a lone surrogate, which has no canonical form (RFC 8785, section 3.2.2.2)
 */
export function fingerprintOf(parts: readonly unknown[]): string {
  try {
    return hashOf(canonicalize(parts) ?? '');
  } catch (cause) {
    throw new GatewayError('BAD_REQUEST', 'Strings in a request with an Idempotency-Key must not contain a lone surrogate.', { cause });
  }
}

/** Hashes a text to 43 letters, digits, `-` and `_`. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
