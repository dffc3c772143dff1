import { type ArgumentNode, Kind } from 'graphql';
import type { ListSizeRule } from '../../supergraph/read-cost-rules.ts';
import { OperationRejected } from '../operation-rejected.ts';
import type { FieldCost } from './cost-model.ts';

/** Coerced variables; undefined when the most expensive values are assumed. */
export type CostValues = Readonly<Record<string, unknown>> | undefined;

/** A number, or a function that computes it from the variables. */
export type Size = number | ((values: CostValues) => number);

export function amountAt(size: Size, values: CostValues): number {
  return typeof size === 'number' ? size : size(values);
}

export interface ListSizeSettings {
  /** List size that is assumed when neither an argument nor the schema defines it. @unit items */
  readonly assumedListSize: number;
  /**
   * Maximum number of items that an argument can request. A negative number is rejected only for an argument of `@listSize`. For an argument
   * that was recognized by its name, zero and negative numbers can mean "no limit" to the subgraph. The list then has the assumed size.
   *
   * @unit items
   */
  readonly maxPageSize: number;
  /** Whether an operation is rejected when an argument exceeds `maxPageSize`. */
  readonly isPageSizeEnforced: boolean;
}

/** An argument that limits a number of items. */
interface SlicingArgument {
  readonly name: string;
  /** Literal in the document; undefined when the argument is absent, null when it is not an integer. */
  readonly literal?: number | null;
  readonly variable?: string;
  /** Default value in the schema, used when the client provides none. */
  readonly fallback: unknown;
}

/**
 * Compiles the number of items that is assumed for a field. The slicing arguments define it, and the largest of several counts; otherwise
 * the assumed size applies (demand control of Federation 2.9, `@listSize`).
 *
 * @param onVariable called with each variable that affects the size
 * @returns a size that throws OperationRejected `BAD_USER_INPUT` for a page that is too large, or when exactly one slicing argument is
 * required and none or several are given
 */
export function compileListSize(
  { coordinate, defaults, listSize: rule }: FieldCost,
  given: readonly ArgumentNode[] | undefined,
  settings: ListSizeSettings,
  onVariable: (name: string) => void,
): Size {
  const { maxPageSize, isPageSizeEnforced } = settings;
  const assumed = rule?.assumedSize ?? settings.assumedListSize;
  if (rule === undefined || rule.slicingArguments.length === 0) return assumed;
  const slicing = rule.slicingArguments.map((name) =>
    toSlicingArgument(name, given, Object.hasOwn(defaults, name) ? defaults[name] : undefined),
  );
  const isVarying = slicing.some(({ variable }) => variable !== undefined);
  for (const { variable } of slicing) if (variable !== undefined) onVariable(variable);

  return (values) => {
    if (values === undefined && isVarying) return maxPageSize;
    let size = -1;
    let requested = 0;
    let assumedBySchema = 0;
    for (const argument of slicing) {
      const value = valueOf(argument, values);
      if (typeof value === 'number') {
        requested += 1;
        if (isPageSizeEnforced && (value > maxPageSize || (value < 0 && rule.isRecognized !== true))) {
          throw pageTooLarge(coordinate, { argument: argument.name, value }, maxPageSize, rule);
        }
        size = Math.max(size, value > 0 || rule.isRecognized !== true ? value : defaultOf(argument, assumed));
      } else if (value === undefined && typeof argument.fallback === 'number') {
        assumedBySchema += 1;
        size = Math.max(size, argument.fallback);
      }
    }
    if (isPageSizeEnforced && rule.requiresOneSlicingArgument && requested !== 1 && requested + assumedBySchema !== 1) {
      const names = rule.slicingArguments.map((name) => `"${name}"`).join(', ');
      throw new OperationRejected('BAD_USER_INPUT', [{ message: `"${coordinate}" requires exactly one of the arguments ${names}.` }]);
    }
    return size < 0 ? assumed : size;
  };
}

function toSlicingArgument(name: string, given: readonly ArgumentNode[] | undefined, fallback: unknown): SlicingArgument {
  const value = given?.find((argument) => argument.name.value === name)?.value;
  if (value === undefined) return { name, fallback };
  if (value.kind === Kind.VARIABLE) return { name, variable: value.name.value, fallback };
  return { name, literal: value.kind === Kind.INT ? Number(value.value) : null, fallback };
}

/** Returns a number, null for an explicit null, or undefined for an absent argument. */
function valueOf({ literal, variable }: SlicingArgument, values: CostValues): unknown {
  if (variable === undefined) return literal;
  return values !== undefined && Object.hasOwn(values, variable) ? values[variable] : undefined;
}

/** Returns the size of a list whose argument may mean "no limit": that of an absent argument, but at least the assumed size. */
function defaultOf({ fallback }: SlicingArgument, assumed: number): number {
  return typeof fallback === 'number' ? Math.max(fallback, assumed) : assumed;
}

interface RequestedPage {
  readonly argument: string;
  readonly value: number;
}

function pageTooLarge(coordinate: string, { argument, value }: RequestedPage, maxPageSize: number, { isRecognized }: ListSizeRule) {
  const remedy = isRecognized === true ? ', or remove the name from limits.slicingArguments if the argument is not a page size' : '';
  const message =
    `The argument "${argument}" of "${coordinate}" is ${value}, but a page must have between 0 and ${maxPageSize} items. ` +
    `Send a ${value < 0 ? 'larger' : 'smaller'} value. The operator of the gateway can increase limits.maxPageSize${remedy}.`;
  return new OperationRejected('BAD_USER_INPUT', [{ message }], { setting: 'limits.maxPageSize' });
}
