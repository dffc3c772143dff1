import { compileSelection } from '../connectors/selection/compile-selection.ts';
import type { CompiledMapping, MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import type { SelectionNode } from '../connectors/selection/selection-node.ts';
import type { CompileExpression } from '../connectors/template/compile-template.ts';

/** Compilers of expressions that are evaluated twice with the same variables, one after the other. */
export interface SharedExpressions {
  /** Compiles an expression whose value the next evaluation can take. */
  readonly first: CompileExpression;
  /** Compiles an expression that takes the value of the previous evaluation, if that had the same variables. */
  readonly second: CompileExpression;
}

/** Creates compilers so that checking whether a batch is empty and building its request evaluate each expression once. */
export function createSharedExpressions(): SharedExpressions {
  const shared = new Map<SelectionNode, { variables: MappingVariables; value: unknown }>();
  return {
    first(expression): CompiledMapping {
      const mapping = compileSelection(expression);
      return (data, variables, problems) => {
        const value = mapping(data, variables, problems);
        shared.set(expression, { variables, value });
        return value;
      };
    },
    second(expression): CompiledMapping {
      const mapping = compileSelection(expression);
      return (data, variables, problems) => {
        const previous = shared.get(expression);
        // The values of a request are not retained after it.
        shared.delete(expression);
        return previous?.variables === variables && problems === undefined ? previous.value : mapping(data, variables, problems);
      };
    },
  };
}
