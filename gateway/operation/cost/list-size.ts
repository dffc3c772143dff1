import { type ArgumentNode, Kind } from 'graphql';
import { OperationRefused } from '../operation-refused.ts';
import type { FieldCost } from './cost-model.ts';

/** Variables as they were coerced; undefined where the most expensive ones are assumed. */
export type CostValues = Readonly<Record<string, unknown>> | undefined;

/** A number, or how it follows from the variables. */
export type Size = number | ((values: CostValues) => number);

export function amountAt(size: Size, values: CostValues): number {
  return typeof size === 'number' ? size : size(values);
}

export interface ListSizeSettings {
  /** Where neither an argument nor the schema says it. @unit items */
  readonly assumedListSize: number;
  /** Most that an argument may ask for. @unit items */
  readonly maxPageSize: number;
  /** Whether an argument beyond that refuses the operation. */
  readonly isPageSizeEnforced: boolean;
}

/** An argument that limits a number of items. */
interface SlicingArgument {
  /** As the document gives it; undefined where it does not. */
  readonly literal?: number | null;
  readonly variable?: string;
  /** What the schema takes where the client says nothing. */
  readonly fallback: unknown;
}

/**
 * How many items a field is reckoned with: what its slicing arguments ask for, the most where there are several, else the assumed
 * size (demand control of federation 2.9, `@listSize`).
 *
 * @param onVariable hears of each variable that has a say
 * @returns what throws OperationRefused `BAD_USER_INPUT` for a page that is too large, or has no or several sizes where one is required
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
    let asked = 0;
    let assumedBySchema = 0;
    for (const argument of slicing) {
      const value = valueOf(argument, values);
      if (typeof value === 'number') {
        asked += 1;
        size = Math.max(size, value);
        if (isPageSizeEnforced && (value < 0 || value > maxPageSize)) {
          throw refuse(`A page of "${coordinate}" has from 0 to ${maxPageSize} items.`);
        }
      } else if (value === undefined && typeof argument.fallback === 'number') {
        assumedBySchema += 1;
        size = Math.max(size, argument.fallback);
      }
    }
    if (isPageSizeEnforced && rule.requiresOneSlicingArgument && asked !== 1 && asked + assumedBySchema !== 1) {
      throw refuse(`"${coordinate}" takes exactly one of the arguments ${rule.slicingArguments.map((name) => `"${name}"`).join(', ')}.`);
    }
    return size < 0 ? assumed : size;
  };
}

function toSlicingArgument(name: string, given: readonly ArgumentNode[] | undefined, fallback: unknown): SlicingArgument {
  const value = given?.find((argument) => argument.name.value === name)?.value;
  if (value === undefined) return { fallback };
  if (value.kind === Kind.VARIABLE) return { variable: value.name.value, fallback };
  return { literal: value.kind === Kind.INT ? Number(value.value) : null, fallback };
}

/** A number; null where it is given as none; undefined where it is not given. */
function valueOf({ literal, variable }: SlicingArgument, values: CostValues): unknown {
  if (variable === undefined) return literal;
  return values !== undefined && Object.hasOwn(values, variable) ? values[variable] : undefined;
}

function refuse(message: string): OperationRefused {
  return new OperationRefused('BAD_USER_INPUT', [{ message }]);
}
