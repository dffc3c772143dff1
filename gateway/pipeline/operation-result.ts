import type { SourceLocation } from 'graphql';
import type { CachedAnswer } from '../cache/cached-response.ts';
import type { ExecutionOutcome } from '../execution/executable-operation.ts';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { CacheLocation, RequestMemo } from './request-memo.ts';

/** One entry of `errors` as clients see it; nothing else leaves. */
export interface OperationError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly requestId: string;
    /** Name of the subgraph, of an error that passes in development only: it counts as `INTERNAL_SERVER_ERROR`. */
    readonly subgraph?: string;
    /** Beside `COST_LIMIT_EXCEEDED`. @unit points */
    readonly cost?: { readonly estimated: number; readonly limit: number };
  };
}

/** What happened in an operation that was executed; one that is refused throws instead. */
export interface ResultFacts {
  /** Codes of `errors`, in order. */
  readonly errorCodes: readonly string[];
  /**
   * Whether credentials or a guarded field took part in an answer without errors to a query of which no policy says how long it may be
   * kept: the caller may keep it, for whoever has the same credentials, and asks each time whether it still holds.
   *
   * @defaultValue false
   */
  readonly isPersonal?: boolean;
  /**
   * How long the answer may be kept, and by whom, where that was asked for by GET. Of an answer as text that may be kept, `cached` says it.
   *
   * @defaultValue nobody keeps it
   */
  readonly cachePolicy?: CachePolicy;
  /** Headers of clients, in lower case, by which the answer may differ; beside `cachePolicy`. */
  readonly varyingHeaders?: readonly string[];
}

/** An answer that HTTP may keep. */
export interface CachedOutcome {
  readonly cached: CachedAnswer;
  /** What it was made of. Absent where it was there already. */
  readonly executed?: ExecutionOutcome;
  /** Where it is kept. */
  readonly place: CacheLocation;
}

/** The response as JSON text, ready for the wire. */
export interface BytesResult {
  readonly body: string;
  readonly facts: ResultFacts;
  /** Present where HTTP may keep it. */
  readonly cached?: CachedOutcome;
  /** For the next request that is equal. Absent where there is nothing to be spared, or it was recalled this time. */
  readonly memo?: RequestMemo | undefined;
  /** What comes after it, where the request takes an answer in parts and the operation has a `@defer` that is on. */
  readonly later?: LaterParts;
}

/** The rest of an answer that comes in parts. Read it to its end, or cancel it. */
export interface LaterParts {
  /** Whether there is a part after the first. */
  readonly hasNext: boolean;
  /** One at a time. @throws what ended it early, a GatewayError or a defect: `giveUp` tells the client */
  next(): Promise<{ readonly body: string; readonly hasNext: boolean }>;
  /** The last part, in which each fragment that has not come is null, for this reason. */
  giveUp(reason: GatewayError): string;
  /** Stops a query; see `signal`. */
  cancel(): void;
}

/** The response as values, for callers who go on working with the data. */
export interface ObjectResult {
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The data as JSON text, in the order of the operation and without white space. Absent where nobody has printed it. */
  readonly text?: string;
  readonly errors: readonly OperationError[];
  readonly facts: ResultFacts;
}
