import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import { fnv1a } from '../../platform/fnv1a.ts';
import { chain, type MaybePromise } from '../../platform/maybe-promise.ts';
import { principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** Tells which labels of `@override` are on for a request. Asked once per request, and only for labels that its operation depends on. */
export type OverrideLabels = (labels: readonly string[], request: OperationRequest) => Iterable<string> | Promise<Iterable<string>>;

/** `percent(12.5)` is on for that share of the callers. */
const PERCENT = /^percent\((\d{1,2}(?:\.\d{1,8})?|100)\)$/;

/** Selects the labels that are on for a request, among those that its operation depends on. */
export type SelectLabels = (operation: Pick<PreparedOperation, 'labels'>, request: OperationRequest) => MaybePromise<readonly string[]>;

const NO_LABELS: readonly string[] = [];

/**
 * Creates the stage. Labels keep the order of the operation. Those of the form `percent(x)` are decided here, for one
 * caller always alike, and for one without credentials alike within the request; others by the hook, and are off without one.
 */
export function createSelectLabels(hook: OverrideLabels | undefined): SelectLabels {
  /** By label; undefined where the label is not one of a percentage. */
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

/** Where a caller stands between 0 and 100 for a label. Labels do not know each other: being early for one says nothing of another. */
function positionOf(label: string, { principal, correlationId }: OperationRequest): number {
  const who = principal.id === '' ? correlationId : principalKeyOf(principal);
  return (hash(`${label}\n${who}`) / 2 ** 32) * 100;
}

/** FNV-1a, with its bits mixed at the end: neighboring names are to be far apart. */
function hash(text: string): number {
  let value = fnv1a(text);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
