import type { CallerBudget } from '../budget/caller-budget.ts';
import type { DocumentReference } from '../persisted/document-reference.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { GenerationHandle } from '../generation/generation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { RequestMemos } from './request-memo.ts';

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
  readonly operationName?: string | undefined;
  /** As the client sent them: not yet coerced. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly door: Door;
  readonly headers: RequestHeaders;
  readonly correlationId: string;
  /** Where the caller is; who has no credentials is known by it. @defaultValue unknown: all such callers are one, and have no budget */
  readonly remoteAddress?: string;
  /** What pays for it. @defaultValue the budget of the principal, or of the address */
  readonly budget?: CallerBudget | undefined;
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
  readonly memos?: RequestMemos | undefined;
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
