import { systemClock } from '../platform/clock.ts';
import { INTERNAL_ERROR_MESSAGE, isCodeOfSubgraphs } from '../platform/errors.ts';
import type { SubgraphError, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { ResponseHead } from './connection/read-head.ts';
import type { ParsedJson } from './decode-json.ts';
import { type SubgraphFailure, subgraphInvalidResponse, subgraphRejected, subgraphUnavailable } from './failures.ts';

/** Maximum length of a subgraph message that is passed on or logged. @unit UTF-16 code units */
const MAX_MESSAGE_LENGTH = 1_024;

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/** Rules for the error messages of one subgraph that clients can see. */
export interface ErrorRules {
  /** Name of the subgraph, used in messages when all messages are passed on. */
  readonly subgraph?: string;
  /** Codes whose messages are passed on, in addition to those of `isCodeOfSubgraphs`. @defaultValue [] */
  readonly errorCodes?: readonly string[];
  /** Whether other errors are passed on as well, with their code and the name of the subgraph, for development. @defaultValue `listed` */
  readonly errorMessages?: 'listed' | 'all' | undefined;
}

const CATALOGUE_ONLY: ErrorRules = {};

/** The `errors` of a subgraph, reduced to the information that can be passed on. */
export interface ReadErrors {
  readonly errors: readonly SubgraphError[];
  /** Messages of errors that are not listed, for the log. */
  readonly masked: readonly string[];
}

/**
 * Reads the `errors` of a response. The message of an error with a listed code is passed on. Unless all errors are passed on, every other
 * error becomes `INTERNAL_SERVER_ERROR` with a constant text. No other part of `extensions` is passed on.
 *
 * @param maxErrors Maximum number of errors. Further errors are ignored.
 * @returns undefined when the value is not a list of errors (GraphQL, section 7.1.2)
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

/**
 * Parses a `Retry-After` value (RFC 9110, section 10.2.3), which is a number of seconds or a date.
 *
 * @returns Milliseconds, or undefined when the value is invalid.
 */
function readRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Matches the only date format that senders still generate (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const JSON_TYPE = /^application\/(?:graphql-response\+)?json\s*(?:;|$)/i;

/** Status codes that mean that the server, or a proxy in front of it, did not accept the request. */
const REJECTING = new Set([429, 502, 503, 504]);

/**
 * Checks the head of a response before the body is read. Redirects, other media types, content codings and bodies above the limit are
 * rejected. The status alone rejects no response, because GraphQL over HTTP has responses with 4xx and 5xx.
 *
 * @returns GatewayError `SUBGRAPH_INVALID_RESPONSE`, or `SUBGRAPH_UNAVAILABLE` for a 5xx or 429 that is not GraphQL
 */
export function checkHead(head: ResponseHead, maxBytes: number): SubgraphFailure | undefined {
  const { 'content-type': type, 'content-encoding': coding = 'identity', 'content-length': length } = head.headers;
  if (head.statusCode >= 300 && head.statusCode < 400) return refuse(head, 'redirects are not followed');
  if (typeof type !== 'string' || !JSON_TYPE.test(type)) return refuse(head, 'the media type is not a GraphQL media type');
  if (coding !== 'identity') return refuse(head, 'the body has a content coding');
  if (typeof length === 'string' && Number(length) > maxBytes) return refuse(head, `the body is longer than ${maxBytes} bytes`);
  return undefined;
}

/** A valid response and the messages that were masked in it. */
export interface ReadResponse {
  readonly response: SubgraphResponse;
  /** Messages of errors that clients must not see, for the log. */
  readonly masked: readonly string[];
}

/**
 * Reads the body of a response (GraphQL, section 7.1).
 *
 * @param parseBody Parses the body. It throws when the body is not JSON.
 * @param maxErrors Maximum number of errors. Further errors are dropped.
 * @param rules Rules for the messages that are passed on.
 * @throws GatewayError `SUBGRAPH_INVALID_RESPONSE` when the response is invalid
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE` for a 5xx or 429 that is not GraphQL, or without data when the status means that the request
 * was not accepted
 */
export function readResponse(head: ResponseHead, parseBody: () => ParsedJson, maxErrors: number, rules?: ErrorRules): ReadResponse {
  const { value: body, needsNoEscape } = parse(head, parseBody);
  if (!isRecord(body)) throw refuse(head, 'the body is not an object');
  const { data, errors } = body;
  if (data !== undefined && data !== null && !isRecord(data)) throw refuse(head, '`data` is not an object');
  if (isAbsent(errors)) {
    if (data === undefined) throw refuse(head, 'the body has neither `data` nor `errors`');
    if (data === null) throw refuse(head, '`data` is null without an error');
    return { response: { data, needsNoEscape }, masked: NOTHING };
  }
  const read = readErrors(errors, maxErrors, rules);
  if (read === undefined) throw refuse(head, '`errors` is not a list of errors');
  if (data === undefined && REJECTING.has(head.statusCode)) throw refuse(head, 'the body has `errors` but no `data`');
  return { response: { ...(data === undefined ? {} : { data }), errors: read.errors, needsNoEscape }, masked: read.masked };
}

const NOTHING: readonly string[] = [];

/** Some servers send an empty `errors` list, which violates the specification but is harmless. */
function isAbsent(errors: unknown): boolean {
  return errors === undefined || errors === null || (Array.isArray(errors) && errors.length === 0);
}

function parse(head: ResponseHead, parseBody: () => ParsedJson): ParsedJson {
  try {
    return parseBody();
  } catch (cause) {
    throw refuse(head, 'the body is not JSON', cause);
  }
}

/**
 * Creates the failure for a rejected response. A proxy or an overloaded server can respond for an unavailable subgraph. Any other invalid
 * response is an error of the subgraph itself.
 */
export function refuse({ statusCode, headers }: ResponseHead, reason: string, cause?: unknown): SubgraphFailure {
  const detail = new Error(`HTTP ${statusCode}: ${reason}.`, cause === undefined ? undefined : { cause });
  if (REJECTING.has(statusCode)) return subgraphRejected(detail, readRetryAfter(headers['retry-after'], systemClock.now()));
  return statusCode >= 500 ? subgraphUnavailable(detail) : subgraphInvalidResponse(detail);
}
