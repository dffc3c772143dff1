import { type DocumentNode, type GraphQLSchema, isAbstractType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { SupergraphLabels } from '../supergraph/supergraph-labels.ts';

/** Fields of a supergraph whose subgraph depends on a label of `@override`. */
export interface OverriddenFields {
  /** Returns the labels that the plan of an operation depends on, in the order of the supergraph. */
  labelsOf(document: DocumentNode): readonly string[];
}

const NO_LABELS: readonly string[] = [];

/**
 * Creates the function that finds the labels of operations.
 *
 * @param schema Public schema that operations are valid against.
 */
export function createOverriddenFields({ all, byField, everywhere }: SupergraphLabels, schema: GraphQLSchema): OverriddenFields {
  if (all.length === 0) return { labelsOf: () => NO_LABELS };

  function labelOf(typeName: string, field: string): readonly (string | undefined)[] {
    const type = schema.getType(typeName);
    const own = byField.get(`${typeName}.${field}`);
    if (!isAbstractType(type)) return [own];
    return [own, ...schema.getPossibleTypes(type).map(({ name }) => byField.get(`${name}.${field}`))];
  }

  return {
    labelsOf(document) {
      const found = new Set<string | undefined>(everywhere);
      const typeInfo = new TypeInfo(schema);
      visit(
        document,
        visitWithTypeInfo(typeInfo, {
          Field({ name }) {
            const parent = typeInfo.getParentType();
            if (parent !== undefined && parent !== null) for (const label of labelOf(parent.name, name.value)) found.add(label);
          },
        }),
      );
      return all.filter((label) => found.has(label));
    },
  };
}
