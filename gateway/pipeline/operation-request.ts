import type { CallerBudget } from '../budget/caller-budget.ts';
import type { DocumentReference } from '../persisted/document-reference.ts';
import type { RequestState } from '../hooks/hooked-request.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';
import type { ClientName } from '../platform/client-name.ts';
import type { OperationRecorder } from '../platform/operation-recorder.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { TraceHeaders } from '../platform/trace-context.ts';
import type { GenerationHandle } from '../generation/generation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { RequestMemos } from './request-memo.ts';

/** Transport of a request. */
export type Transport = 'graphql' | 'rest' | 'websocket' | 'sse' | 'multipart';

/** Permissions of an execution: a decision (see `Decision`) by the id of its requirement. */
export type DescribedAccess = Readonly<Record<string, string>>;

/** One request of one caller, by any transport. */
export interface OperationRequest {
  /** Generation that executes the request. @defaultValue the current generation */
  readonly generation?: GenerationHandle;
  readonly principal: Principal;
  readonly document: DocumentReference | { readonly prepared: PreparedDocument };
  /**
   * Document that the client sent, when `document` was derived from it. It is the one that is registered by its hash.
   *
   * @defaultValue `document`
   */
  readonly original?: OperationRequest['document'] | undefined;
  readonly operationName?: string | undefined;
  /** Variables as the client sent them, not yet coerced. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly transport: Transport;
  readonly headers: RequestHeaders;
  readonly correlationId: string;
  /** Library of the client: `extensions.clientLibrary`. @defaultValue unknown */
  readonly clientLibrary?: ClientName | undefined;
  /** Trace of this operation, if it is not that of the headers: `extensions.traceparent`. @defaultValue the trace of the headers */
  readonly trace?: TraceHeaders | undefined;
  /** Records the operation. Set where telemetry is on. @defaultValue not recorded */
  readonly recorder?: OperationRecorder | undefined;
  /**
   * Remote address. Identifies callers without credentials.
   *
   * @defaultValue unknown: all such callers are treated as one, without a budget
   */
  readonly remoteAddress?: string;
  /** Budget that is charged. @defaultValue the budget of the principal, or of the address */
  readonly budget?: CallerBudget | undefined;
  /**
   * Rejects every operation except a query with `METHOD_NOT_ALLOWED` and `Allow: POST`. Set for the safe methods of HTTP, which must not
   * change anything (RFC 9110, section 9.2.1).
   */
  readonly queryOnly?: boolean;
  /**
   * Whether fields under `@defer` may be delivered in later payloads. Applied when the response is needed as text.
   *
   * @defaultValue false: one response with all fields
   */
  readonly acceptsIncremental?: boolean;
  /**
   * Decides, by the data as JSON text, whether the response may be stored in the response cache. A response as values is served from the
   * cache only with this decision. A response as text needs none.
   *
   * @defaultValue a response as values is not cached in the gateway
   */
  readonly isStorable?: ((data: string) => boolean) | undefined;
  /** Memos of equal requests: same document reference, operation name and variables. @defaultValue none */
  readonly memos?: RequestMemos | undefined;
  /** Session id that distinguishes anonymous writers for subgraphs. The pipeline sets it. @defaultValue none */
  readonly session?: string;
  /** Cached data that is outdated for the caller because of the caller's writes. The pipeline sets it. @defaultValue none */
  readonly writes?: OwnWrites | undefined;
  /** Called when the mutation was certainly not sent to any subgraph. @defaultValue no call */
  readonly onUnsent?: (() => void) | undefined;
  /** Receives the permissions that the operation is executed with. Not called for an operation without rules. @defaultValue no call */
  readonly onAccess?: ((access: DescribedAccess) => void) | undefined;
  /** State of the hooks. The pipeline sets it. @defaultValue no hooks run */
  readonly hooked?: RequestState | undefined;
  /**
   * Aborted when the client disconnects. Stops a query. A mutation continues to its end, because it may already have had a partial effect.
   */
  readonly signal: AbortSignal;
}
