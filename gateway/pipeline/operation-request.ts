import type { SourceLocation } from 'graphql';
import type { CachedAnswer } from '../cache/cached-response.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { ExecutionOutcome } from '../execution/executable-operation.ts';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { DocumentReference } from '../persisted/document-reference.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { GenerationHandle } from '../generation/generation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { Recollection, Recollections } from './recollection.ts';

/** By which door a request came in. */
export type Door = 'graphql' | 'rest' | 'websocket' | 'sse' | 'multipart';

/** Rights of an execution: a decision (see `Decision`) by the id of its requirement. */
export type DescribedAccess = Readonly<Record<string, string>>;

/** One request of one caller, whichever door it came in by. */
export interface OperationRequest {
  /** The generation it was bound to; the current one where absent. */
  readonly generation?: GenerationHandle;
  readonly principal: Principal;
  readonly document: DocumentReference | { readonly prepared: PreparedDocument };
  /** What the client asked for, where `document` was made of it: that is what is kept by its hash. @defaultValue `document` */
  readonly original?: OperationRequest['document'];
  readonly operationName?: string;
  /** As the client sent them: not yet coerced. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly door: Door;
  readonly headers: RequestHeaders;
  readonly correlationId: string;
  /** Where the caller is; who has no credentials is known by it. @defaultValue unknown: all such callers are one, and have no budget */
  readonly remoteAddress?: string;
  /** What pays for it. @defaultValue the budget of the principal, or of the address */
  readonly budget?: CallerBudget | undefined;
  /** Points that were charged for its document before, when its kind was found out. @defaultValue nothing was charged yet */
  readonly documentCharge?: number | undefined;
  /**
   * Refuses everything but a query with `METHOD_NOT_ALLOWED` and `Allow: POST`. Set for the safe methods of HTTP, which
   * must not change anything (RFC 9110, section 9.2.1).
   */
  readonly queryOnly?: boolean;
  /**
   * Whether what stands under `@defer` may come later than the rest. Heeded where the answer is wanted as text.
   *
   * @defaultValue false: all comes at once
   */
  readonly acceptsParts?: boolean;
  /** What was found out about equal requests before: same document reference, operation name, and variables. @defaultValue nothing */
  readonly recollections?: Recollections | undefined;
  /** Tells an anonymous writer from others, for subgraphs; the pipeline finds it out. @defaultValue nothing */
  readonly session?: string;
  /** What of stored data the caller must not be given; the pipeline finds it out. @defaultValue nothing */
  readonly writes?: OwnWrites | undefined;
  /** Hears that the mutation was certainly not sent to any subgraph. @defaultValue nobody wants to know */
  readonly onUnsent?: (() => void) | undefined;
  /** Receives the rights that the operation is executed with. Not called for an operation without rules. @defaultValue no call */
  readonly onAccess?: ((access: DescribedAccess) => void) | undefined;
  /** The client has left. Stops a query; a mutation runs on to its end, since half of it may be done already. */
  readonly signal: AbortSignal;
}

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
  readonly place: AnswerPlace;
}

/** Where an answer is kept, and for whom. */
export interface AnswerPlace {
  readonly key: string;
  readonly partition: string;
}

/** The response as JSON text, ready for the wire. */
export interface BytesResult {
  readonly body: string;
  readonly facts: ResultFacts;
  /** Present where HTTP may keep it. */
  readonly cached?: CachedOutcome;
  /** For the next request that is equal. Absent where there is nothing to be spared, or it was recalled this time. */
  readonly recollection?: Recollection | undefined;
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
