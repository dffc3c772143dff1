import { compileNode } from '../compile-selection.ts';
import type { CompiledStep, MethodScope } from '../compile-path.ts';
import type { WantedFields } from '../compiled-mapping.ts';
import { linkTo, type MappingRun, reportProblem } from '../mapping-run.ts';
import type { MethodNode, SelectionNode } from '../selection-node.ts';
import { ARITHMETIC_METHODS } from './arithmetic-methods.ts';
import { LIST_METHODS } from './list-methods.ts';
import { LOGIC_METHODS } from './logic-methods.ts';
import { TEXT_METHODS } from './text-methods.ts';
import { VALUE_METHODS } from './value-methods.ts';

/** An argument, which a method evaluates with `@` bound to its input, or to an item of it. */
export type MethodArgument = (current: unknown, root: unknown, run: MappingRun, index?: number) => unknown;

/** One call of a method in a mapping. */
export interface MethodCall {
  readonly args: readonly MethodArgument[];
  /** Candidates and results of `->match` and `->matchIf`. A pair without a candidate always matches. */
  readonly pairs: readonly (readonly [MethodArgument | undefined, MethodArgument])[];
  /** Records a problem of the call. */
  readonly report: (run: MappingRun, message: string) => void;
}

/** Compiles a call of one method. */
export type MethodCompiler = (call: MethodCall) => CompiledStep;

const COMPILERS: ReadonlyMap<string, MethodCompiler> = new Map([
  ...Object.entries(VALUE_METHODS),
  ...Object.entries(LIST_METHODS),
  ...Object.entries(TEXT_METHODS),
  ...Object.entries(LOGIC_METHODS),
  ...Object.entries(ARITHMETIC_METHODS),
]);

/** Methods whose first argument is the result, or an item of it. */
const RETURNING: ReadonlySet<string> = new Set(['echo', 'map']);

/** Compiles a call of any method except `->as`. */
export function compileMethod({ name, offset, args }: MethodNode, scope: MethodScope): CompiledStep {
  const compile = COMPILERS.get(name);
  if (compile === undefined) throw new TypeError(`The method ->${name} is not implemented`);
  const argument = (node: SelectionNode, wanted = RETURNING.has(name) ? scope.wanted : undefined): MethodArgument => {
    const evaluate = compileNode(node, wanted, scope.locals, scope.compilation);
    return (current, root, run, index = -1) => {
      if (run.problems === undefined) return evaluate(root, current, run);
      const outer = run.current;
      const link = linkTo(scope.next, run);
      link.index = index;
      run.current = link;
      const value = evaluate(root, current, run);
      run.current = outer;
      return value;
    };
  };
  const isMatch = name === 'match' || name === 'matchIf';
  return compile({
    args: isMatch ? [] : args.map((node) => argument(node)),
    pairs: isMatch ? args.flatMap((node) => pairsOf(node, argument, scope)) : [],
    report: (run, message) => reportProblem(run, message, offset, scope.next),
  });
}

function pairsOf(
  node: SelectionNode,
  argument: (part: SelectionNode, wanted?: WantedFields) => MethodArgument,
  { wanted }: MethodScope,
): MethodCall['pairs'] {
  const [first, second] = node.kind === 'list' ? node.items : [];
  if (first === undefined) return [];
  return second === undefined ? [[undefined, argument(first, wanted)]] : [[argument(first), argument(second, wanted)]];
}
