import type { DocumentNode, OperationTypeNode } from 'graphql';
import type { OperationAuthorization } from '../authorization/operation-authorization.ts';
import type { OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import type { ActualCost } from '../operation/cost/actual-cost.ts';
import type { OperationCost } from '../operation/cost/compile-cost.ts';
import type { ExpensiveList } from '../operation/cost/most-expensive-list.ts';
import { bytesOfOperation } from './retained-bytes.ts';
import type { Variants } from './variants.ts';

/** Data that all operations with one canonical text share. Its existence means that these operations are valid. */
export interface SharedOperation {
  readonly kind: `${OperationTypeNode}`;
  readonly isIntrospecting: boolean;
  readonly text: string;
  /** Labels of `@override` that the plan depends on. */
  readonly labels: readonly string[];
  /** Canonical names of the variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** Canonical names of the variables in `@defer`. */
  readonly deferConditions: readonly string[];
  /** Cache policy of the responses. @defaultValue undefined: Responses are not cached. */
  readonly cachePolicy?: OperationCachePolicy | undefined;
  /** Labels of stored data that a mutation can change. @defaultValue undefined: none. */
  readonly writtenLabels?: readonly string[] | undefined;
  /** Authorization rules of the operation. @defaultValue undefined: All callers are permitted to see all fields. */
  readonly authorization?: OperationAuthorization | undefined;
  readonly variants: Variants;
  readonly cost: OperationCost;
  /** Returns the function for the actual cost. It is compiled at first use, because few operations need it. */
  readonly actualCost: () => ActualCost;
  /** Finds the most expensive list, for the message of a rejection. */
  readonly mostExpensiveList: (values: Readonly<Record<string, unknown>>) => ExpensiveList | undefined;
  /** A client operation with this canonical text, as an example. */
  readonly sample: OperationSample;
  /**
   * The parsed text. Its first variant takes it, which is usually created at once; further variants parse the text again. Until then it can
   * be collected.
   */
  parsed: WeakRef<DocumentNode> | undefined;
  /** Whether a component holds a prepared document with this operation. The compiled data is then not evicted. */
  isOwned: boolean;
}

export interface OperationSample {
  readonly document: string;
  readonly operationName?: string;
}

/** Estimates the memory of a shared operation. @unit bytes */
export function bytesOfShared({ text, sample, variants }: SharedOperation): number {
  return bytesOfOperation(text) + 2 * sample.document.length + variants.bytes;
}
