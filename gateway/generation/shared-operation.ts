import type { OperationTypeNode } from 'graphql';
import type { OperationAuthorisation } from '../authorisation/operation-authorisation.ts';
import type { OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import type { ActualCost } from '../operation/cost/actual-cost.ts';
import type { OperationCost } from '../operation/cost/compile-cost.ts';
import { bytesOfOperation } from './retained-bytes.ts';
import type { Variants } from './variants.ts';

/** What all operations with one canonical text have in common. That it is here says that they are valid. */
export interface SharedOperation {
  readonly kind: `${OperationTypeNode}`;
  readonly isIntrospecting: boolean;
  readonly text: string;
  /** Labels of `@override` that its plan depends on. */
  readonly labels: readonly string[];
  /** Canonical names of the variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** Canonical names of the variables in `@defer`. */
  readonly deferConditions: readonly string[];
  /** How long answers stay fresh. @defaultValue not at all */
  readonly cachePolicy?: OperationCachePolicy | undefined;
  /** Labels of stored data that a mutation may change. @defaultValue none */
  readonly writtenLabels?: readonly string[] | undefined;
  /** Who may see what of it. @defaultValue all may see all */
  readonly authorisation?: OperationAuthorisation | undefined;
  readonly variants: Variants;
  readonly cost: OperationCost;
  /** Made when it is first asked for, as few do. */
  readonly actualCost: () => ActualCost;
  /** A client's operation with this text, as an example of all. */
  readonly sample: OperationSample;
  /** Somebody holds a prepared document with it: what was made stays. */
  isKept: boolean;
}

export interface OperationSample {
  readonly document: string;
  readonly operationName?: string;
}

/** What is kept of it. @unit bytes */
export function bytesOfShared({ text, sample, variants }: SharedOperation): number {
  return bytesOfOperation(text) + 2 * sample.document.length + variants.bytes;
}
