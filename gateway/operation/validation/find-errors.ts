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
  /** Number of errors after which the search stops. @unit errors */
  readonly maxErrors: number;
  /** Whether messages contain no "Did you mean …". To find similar names takes milliseconds when a type has thousands of fields. */
  readonly hideSuggestions?: boolean;
}

/**
 * Applies validation rules of graphql-js to an executable document, all in one pass.
 *
 * Finds the same errors as `validate` of graphql-js, in the same order. {@link DocumentWalk} describes why that function is not used.
 *
 * @returns at most `maxErrors` errors
 * @throws RangeError when the document is nested too deeply
 */
export function findErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  { rules, maxErrors, hideSuggestions = false }: ErrorSearch,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const types = new TypeInfo(schema);
  const onError = (error: GraphQLError): void => {
    if (errors.length >= maxErrors) throw STOPPED;
    errors.push(error);
  };
  const context = new DocumentContext(schema, document, types, onError, hideSuggestions);
  const walk = new DocumentWalk(
    rules.map((rule) => rule(context)),
    types,
  );
  try {
    walk.visit(document);
  } catch (error) {
    if (error === STOPPED) return errors;
    // graphql-js also throws this error, to stop rules that would follow too many fragments.
    if (error instanceof GraphQLError) errors.push(error);
    else throw error;
  }
  return errors;
}

const STOPPED = Symbol('enough errors');

type VariableUsages = ReturnType<ValidationContext['getVariableUsages']>;

/** A validation context that finds the uses of variables with {@link DocumentWalk}, which is faster than `visit`. */
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
