import type { CompiledStep, MethodScope } from '../mapping-compilation.ts';
import type { WantedFields } from '../compiled-mapping.ts';
import { linkTo, reportProblem } from '../mapping-run.ts';
import type { MethodNode, SelectionNode } from '../selection-node.ts';
import { ARITHMETIC_METHODS } from './arithmetic-methods.ts';
import { LIST_METHODS } from './list-methods.ts';
import { LOGIC_METHODS } from './logic-methods.ts';
import type { LiteralValue, MatchPair, MethodArgument, MethodCompiler } from './method-compiler.ts';
import { TEXT_METHODS } from './text-methods.ts';
import { VALUE_METHODS } from './value-methods.ts';

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
    const literal = literalOf(node);
    if (literal !== undefined) return () => literal;
    const evaluate = scope.compilation.compileNode(node, wanted, scope.locals);
    return (current, root, run, index = -1) => {
      if (run.problems === undefined) return evaluate(root, current, run);
      const outer = run.current;
      const link = linkTo(scope.place, run);
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
    literals: args.map(literalOf),
    pairs: isMatch ? args.flatMap((node) => pairsOf(node, argument, scope)) : [],
    report: (run, message) => reportProblem(run, message, offset, scope),
  });
}

function literalOf(node: SelectionNode): LiteralValue | undefined {
  return node.kind === 'literal' ? node.value : undefined;
}

function pairsOf(
  node: SelectionNode,
  argument: (part: SelectionNode, wanted?: WantedFields) => MethodArgument,
  { wanted }: MethodScope,
): readonly MatchPair[] {
  const [first, second] = node.kind === 'list' ? node.items : [];
  if (first === undefined) return [];
  if (second === undefined) return [{ result: argument(first, wanted) }];
  const [literal, value] = [literalOf(first), literalOf(second)];
  return [
    {
      candidate: argument(first),
      ...(literal === undefined ? {} : { literal }),
      result: argument(second, wanted),
      ...(value === undefined ? {} : { value }),
    },
  ];
}
