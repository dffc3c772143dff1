import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import { fnv1a } from '../../platform/fnv1a.ts';
import { chain, type MaybePromise } from '../../platform/maybe-promise.ts';
import { principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/**
 * Decides which labels of `@override` are active for a request. Called once per request, and only for labels that its operation depends on.
 */
export type OverrideLabels = (labels: readonly string[], request: OperationRequest) => Iterable<string> | Promise<Iterable<string>>;

/** Matches `percent(12.5)`, which is active for that share of the callers. */
const PERCENT = /^percent\((\d{1,2}(?:\.\d{1,8})?|100)\)$/;

/** Selects the labels that are active for a request, among those that its operation depends on. */
export type SelectLabels = (operation: Pick<PreparedOperation, 'labels'>, request: OperationRequest) => MaybePromise<readonly string[]>;

const NO_LABELS: readonly string[] = [];

/**
 * Creates the stage. Labels retain the order of the operation. A label `percent(x)` always has the same result for one caller, and the same
 * result within one request without credentials. The hook decides all other labels; without a hook they are inactive.
 */
export function createSelectLabels(hook: OverrideLabels | undefined): SelectLabels {
  /** Percentages by label; undefined when the label is not a percentage. */
  const shares = new Map<string, number | undefined>();

  function shareOf(label: string): number | undefined {
    if (!shares.has(label)) {
      const [, share] = PERCENT.exec(label) ?? [];
      shares.set(label, share === undefined ? undefined : Number(share));
    }
    return shares.get(label);
  }

  return ({ labels = NO_LABELS }, request) => {
    if (labels.length === 0) return labels;
    const isOn = (label: string): boolean => positionOf(label, request) < (shareOf(label) ?? 0);
    const others = labels.filter((label) => shareOf(label) === undefined);
    if (hook === undefined || others.length === 0) return labels.filter(isOn);
    const decide = (on: Iterable<string>): readonly string[] => {
      const chosen = new Set(on);
      return labels.filter((label) => (shareOf(label) === undefined ? chosen.has(label) : isOn(label)));
    };
    return chain(hook(others, request), decide);
  };
}

/** Returns the position of a caller between 0 and 100 for a label. Positions of different labels are independent. */
function positionOf(label: string, { principal, correlationId }: OperationRequest): number {
  const who = principal.id === '' ? correlationId : principalKeyOf(principal);
  return (hash(`${label}\n${who}`) / 2 ** 32) * 100;
}

/** Hashes with FNV-1a and mixes the bits at the end, so that similar names get distant values. */
function hash(text: string): number {
  let value = fnv1a(text);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
