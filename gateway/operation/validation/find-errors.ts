import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  TypeInfo,
  ValidationContext,
  type ValidationRule,
} from 'graphql';
import { DocumentWalk } from './document-walk.ts';

/** Settings of {@link findErrors}. */
export interface ErrorSearch {
  readonly rules: readonly ValidationRule[];
  /** Errors that are found before the search stops. @unit errors */
  readonly maxErrors: number;
}

/**
 * Applies validation rules of graphql-js to an executable document, all of them in one walk.
 *
 * Finds the errors that `validate` of graphql-js finds, in the same order. {@link DocumentWalk} tells why that function is not called.
 *
 * @returns at most `maxErrors` errors
 * @throws RangeError where the document is nested too deeply
 */
export function findErrors(schema: GraphQLSchema, document: DocumentNode, { rules, maxErrors }: ErrorSearch): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const types = new TypeInfo(schema);
  const context = new DocumentContext(schema, document, types, (error) => {
    if (errors.length >= maxErrors) throw STOPPED;
    errors.push(error);
  });
  const walk = new DocumentWalk(
    rules.map((rule) => rule(context)),
    types,
  );
  try {
    walk.visit(document);
  } catch (error) {
    if (error === STOPPED) return errors;
    // How graphql-js itself ends rules that would follow too many fragments.
    if (error instanceof GraphQLError) errors.push(error);
    else throw error;
  }
  return errors;
}

const STOPPED = Symbol('enough errors');

type VariableUsages = ReturnType<ValidationContext['getVariableUsages']>;

/** Finds the uses of variables by {@link DocumentWalk}, for the same reason. */
class DocumentContext extends ValidationContext {
  readonly #usages = new Map<ASTNode, VariableUsages>();

  override getVariableUsages(node: Parameters<ValidationContext['getVariableUsages']>[0]): VariableUsages {
    const known = this.#usages.get(node);
    if (known !== undefined) return known;
    const types = new TypeInfo(this.getSchema());
    const usages: VariableUsages[number][] = [];
    const visitor: ASTVisitor = {
      VariableDefinition: () => false,
      Variable(variable) {
        usages.push({
          node: variable,
          type: types.getInputType(),
          defaultValue: types.getDefaultValue(),
          parentType: types.getParentInputType(),
        });
      },
    };
    new DocumentWalk([visitor], types).visit(node);
    this.#usages.set(node, usages);
    return usages;
  }
}
