import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type ErrorDetail, GatewayError, isErrorCode, statusOf } from '../platform/errors.ts';
import type { NamedReply } from '../platform/http/response/send-response.ts';

/** What an execution came to, as far as it decides whether the request is done. */
export interface Outcome {
  /** Codes of all that went wrong; none where all went well. */
  readonly errorCodes: readonly string[];
  /** Whether what was asked for may have happened in spite of them. */
  readonly mayHaveEffect: boolean;
  /** Whether the answer tells the client what has happened. */
  readonly isTelling: boolean;
  /** Whether it was refused by a condition that is no part of what makes requests equal, such as `If-Match`. @defaultValue false */
  readonly isByCondition?: boolean;
}

export interface AttemptFacts {
  /** Whether the key goes down to whoever has the effect, so that to ask again is safe. */
  readonly isPassedDown: boolean;
  /** Whether it is certain that nobody was asked to do anything. */
  readonly isUnsent: boolean;
}

/**
 * - `keep`: it is done, and whoever repeats it hears the same.
 * - `release`: nothing was done, or to do it again is safe.
 * - `unknown`: nobody can tell whether it was done.
 */
export type Verdict = 'keep' | 'release' | 'unknown';

/** What was looked at and decided against: it stays so for the same request. */
const LASTING: ReadonlySet<number> = new Set([200, 400, 404, 409, 412]);

export function judge(outcome: Outcome, { isPassedDown, isUnsent }: AttemptFacts): Verdict {
  const { errorCodes, mayHaveEffect, isTelling, isByCondition = false } = outcome;
  // Whoever looks at what is there now and sends the same over that, has not had its effect.
  if (isByCondition && !mayHaveEffect) return 'release';
  const statuses = errorCodes.map(statusOfCode);
  if (statuses.every((status) => LASTING.has(status))) return 'keep';
  if (isPassedDown || isUnsent) return 'release';
  const isOurFailure = statuses.some((status) => status >= 500);
  if (!isOurFailure && !mayHaveEffect) return 'release';
  return isTelling && mayHaveEffect ? 'keep' : 'unknown';
}

/** A code that is none of ours was set on purpose by a subgraph, for its callers. */
function statusOfCode(code: string): number {
  return isErrorCode(code) ? statusOf(code) : 400;
}

/** An answer as it was given the first time, without what is of one exchange alone: date, correlation id, budget. */
export interface KeptReply {
  readonly status: number;
  readonly headers: NamedReply['headers'];
  /** Undefined of an answer that was too large to be kept, or that nobody may keep. */
  readonly body: string | undefined;
  /** Rights that it was made with: a decision by the id of its requirement. @defaultValue unknown */
  readonly access?: Readonly<Record<string, string>> | undefined;
}

/** What a request came to: an answer, or a refusal that is answered in the shape that its caller reads. */
export type Conclusion = { readonly reply: KeptReply } | { readonly refusal: GatewayError };

interface KeptRefusal {
  /** Not always that of the code: a version that does not fit is 412 to whoever sent a condition. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
}

type Kept = { readonly reply: Omit<KeptReply, 'body'> & { readonly body?: string } } | { readonly refusal: KeptRefusal };

/** @param maxBodyBytes of a larger body nothing is kept */
export function writeRecord(conclusion: Conclusion, maxBodyBytes: number): string {
  return JSON.stringify(toKept(conclusion, maxBodyBytes));
}

function toKept(conclusion: Conclusion, maxBodyBytes: number): Kept {
  if ('refusal' in conclusion) {
    const { status, code, message, details, headers } = conclusion.refusal;
    return { refusal: { status, code, message, details, headers } };
  }
  const { status, headers, body, access } = conclusion.reply;
  const isKept = body !== undefined && Buffer.byteLength(body) <= maxBodyBytes;
  return { reply: { status, headers, ...(isKept ? { body } : {}), ...(access === undefined ? {} : { access }) } };
}

/** @throws SyntaxError, TypeError when it was not written by `writeRecord` */
export function readRecord(record: string): Conclusion {
  const kept = JSON.parse(record) as Kept;
  if ('reply' in kept) return { reply: { ...kept.reply, body: kept.reply.body } };
  const { status, code, message, details, headers } = kept.refusal;
  if (!isErrorCode(code)) throw new TypeError(`${code} is no code of the catalogue.`);
  return { refusal: new GatewayError(code, message, { status, details, headers }) };
}

/**
 * What makes requests equal: parts that are JSON, in their canonical form (RFC 8785), so that neither white space nor the order of
 * keys counts.
 *
 * @throws GatewayError `BAD_REQUEST` for half of a character, of which there is no canonical form (RFC 8785, section 3.2.2.2)
 */
export function fingerprintOf(parts: readonly unknown[]): string {
  try {
    return hashOf(canonicalize(parts) ?? '');
  } catch (cause) {
    throw new GatewayError('BAD_REQUEST', 'With an Idempotency-Key, a text must not hold half of a surrogate pair.', { cause });
  }
}

/** A text of any length as 43 letters, digits, `-` and `_`. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
