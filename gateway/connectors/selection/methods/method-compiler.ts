import type { CompiledStep } from '../mapping-compilation.ts';
import type { MappingRun } from '../mapping-run.ts';
import type { LiteralNode } from '../selection-node.ts';

/** An argument, which a method evaluates with `@` bound to its input, or to an item of it. */
export type MethodArgument = (current: unknown, root: unknown, run: MappingRun, index?: number) => unknown;

/** A string, number, boolean or null of the mapping. */
export type LiteralValue = LiteralNode['value'];

/** A candidate and a result of `->match` or `->matchIf`. */
export interface MatchPair {
  /** Absent in a pair that always matches. */
  readonly candidate?: MethodArgument;
  /** Value of a candidate that is a literal. */
  readonly literal?: LiteralValue;
  readonly result: MethodArgument;
  /** Value of a result that is a literal. */
  readonly value?: LiteralValue;
}

/** One call of a method in a mapping. */
export interface MethodCall {
  readonly args: readonly MethodArgument[];
  /** Values of the arguments that are literals, by their position. Undefined for the others. */
  readonly literals: readonly (LiteralValue | undefined)[];
  readonly pairs: readonly MatchPair[];
  /** Records a problem of the call. */
  readonly report: (run: MappingRun, message: string) => undefined;
}

/** Compiles a call of one method. */
export type MethodCompiler = (call: MethodCall) => CompiledStep;
