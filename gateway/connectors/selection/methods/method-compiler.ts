import type { CompiledStep } from '../mapping-compilation.ts';
import type { MappingRun } from '../mapping-run.ts';

/** An argument, which a method evaluates with `@` bound to its input, or to an item of it. */
export type MethodArgument = (current: unknown, root: unknown, run: MappingRun, index?: number) => unknown;

/** One call of a method in a mapping. */
export interface MethodCall {
  readonly args: readonly MethodArgument[];
  /** Candidates and results of `->match` and `->matchIf`. A pair without a candidate always matches. */
  readonly pairs: readonly (readonly [MethodArgument | undefined, MethodArgument])[];
  /** Records a problem of the call. */
  readonly report: (run: MappingRun, message: string) => undefined;
}

/** Compiles a call of one method. */
export type MethodCompiler = (call: MethodCall) => CompiledStep;
