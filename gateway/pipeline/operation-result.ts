import type { SourceLocation } from 'graphql';
import type { CachedResponse } from '../cache/cached-response.ts';
import type { ExecutionResult } from '../execution/executable-operation.ts';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { LongText } from '../platform/long-text.ts';
import type { CacheLocation, RequestMemo } from './request-memo.ts';

/** One entry of `errors` in the response. Clients receive no other error details. */
export interface OperationError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly requestId: string;
    /** Name of the subgraph, for an error that is exposed in development only; it counts as `INTERNAL_SERVER_ERROR`. */
    readonly subgraph?: string;
    /** Present with `COST_LIMIT_EXCEEDED`. @unit points */
    readonly cost?: { readonly estimated: number; readonly limit: number };
  };
}

/** Facts about an operation that was executed. A rejected operation throws an error instead. */
export interface ResultFacts {
  /** Codes of `errors`, in order. */
  readonly errorCodes: readonly string[];
  /**
   * Whether the response to a query depends on credentials or a guarded field, has no errors, and has no cache policy. The client may then
   * store it for the same credentials, and must validate it each time.
   *
   * @defaultValue false
   */
  readonly isPersonal?: boolean;
  /**
   * Cache policy of the response to a GET request. A response as text that may be cached has `cached` instead.
   *
   * @defaultValue not cacheable
   */
  readonly cachePolicy?: CachePolicy;
  /**
   * Age of a response from the response cache. A response as text has `cached` instead.
   *
   * @unit seconds
   * @defaultValue the response was not in the cache
   */
  readonly ageSeconds?: number;
  /** Request headers, in lower case, that select different responses. Present with `cachePolicy`. */
  readonly varyingHeaders?: readonly string[];
  /** Headers for the HTTP response, with lower-case names, that hooks have set. @defaultValue none */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A response that HTTP may cache. */
export interface CachedResult {
  readonly cached: CachedResponse;
  /** Result of the execution that made it. Absent for a cache hit. */
  readonly executed?: ExecutionResult;
  /** Location in the cache. */
  readonly cacheLocation: CacheLocation;
}

/** The response as JSON text, ready for the wire. */
export interface BytesResult {
  readonly body: string;
  /** Encoded body that several responses share. @defaultValue the body is encoded when it is sent */
  readonly bytes?: Buffer | undefined;
  /** The body in pieces, if it is long. `body` takes time and memory when its characters are first read. */
  readonly longBody?: LongText | undefined;
  readonly facts: ResultFacts;
  /** Present when HTTP may cache the response. */
  readonly cached?: CachedResult;
  /** Memo for the next equal request. Absent when a memo saves no work, or was already used for this response. */
  readonly memo?: RequestMemo | undefined;
  /** Further payloads, when the request accepts incremental delivery and the operation has an active `@defer`. */
  readonly incremental?: IncrementalPayloads;
}

/** Payloads after the initial one. Read them to the end, or cancel them. */
export interface IncrementalPayloads {
  /** Whether there is a payload after the initial one. */
  readonly hasNext: boolean;
  /**
   * Returns the next payload. Only one call at a time is allowed.
   *
   * @throws the error that ended the response early: a GatewayError or a defect; `giveUp` formats it for the client
   */
  next(): Promise<{ readonly body: string; readonly hasNext: boolean }>;
  /** Formats the last payload, in which each missing fragment is null with this error. */
  giveUp(reason: GatewayError): string;
  /** Stops the execution of a query; see `signal`. */
  cancel(): void;
}

/** The response as values, for callers that process the data. */
export interface ObjectResult {
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The data as JSON text, in the order of the operation and without white space. Absent when it was not printed. */
  readonly text?: string;
  readonly errors: readonly OperationError[];
  readonly facts: ResultFacts;
  /** Present when HTTP may cache the response. */
  readonly cached?: CachedResult;
  /** Memo for the next equal request. Absent when a memo saves no work, or was already used for this response. */
  readonly memo?: RequestMemo | undefined;
}
