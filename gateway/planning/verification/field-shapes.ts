import type { FederatedType } from '../../supergraph/federated-graph.ts';
import { type Resolving, plainSource, resolverOf, subgraphsNaming } from '../resolvable.ts';

/** Determines the possible types of the values of fields. */
export interface FieldShapes {
  /** Returns a text that contains every property that determines the possible types of a field. */
  shapeOf(type: FederatedType, field: string): string;
  /**
   * Assigns numbers to the shapes of several fields. Types whose fields have the same shapes have equal numbers. Pass the same array for
   * the same names.
   */
  shapesOf(fields: readonly string[]): (type: FederatedType) => number;
  /**
   * Returns the possible object types of a field for each subgraph that resolves it; undefined for a subgraph with an interface object,
   * which does not define them.
   */
  boundsOf(type: FederatedType, field: string): readonly (ReadonlySet<string> | undefined)[];
  /**
   * Returns the possible object types of a type in a subgraph; undefined for an interface object, for which the subgraph does not define
   * them.
   */
  typesIn(subgraph: string, typename: string): ReadonlySet<string> | undefined;
}

interface FieldShape {
  readonly bounds: readonly (ReadonlySet<string> | undefined)[];
  readonly text: string;
}

/** @param numberOf returns the number of a set of types; equal sets have equal numbers */
export function createFieldShapes(resolving: Resolving, numberOf: (types: ReadonlySet<string>) => number): FieldShapes {
  const { graph } = resolving;
  const known = new Map<FederatedType, Map<string, FieldShape>>();

  function typesIn(subgraph: string, typename: string): ReadonlySet<string> | undefined {
    const declared = graph.types.get(typename);
    const here = declared?.subgraphs.get(subgraph);
    return here?.isInterfaceObject === true ? undefined : (here?.possibleTypes ?? declared?.possibleTypes);
  }

  function readBounds(type: FederatedType, field: string): FieldShape['bounds'] {
    return subgraphsNaming(graph, type, field).flatMap((subgraph) => {
      const resolver = resolverOf(resolving, type, field, plainSource(subgraph));
      return resolver === undefined ? [] : [typesIn(subgraph, resolver.namedType)];
    });
  }

  function read(type: FederatedType, field: string): FieldShape {
    let ofType = known.get(type);
    if (ofType === undefined) known.set(type, (ofType = new Map()));
    let shape = ofType.get(field);
    if (shape === undefined) {
      const namedType = type.fields.get(field)?.namedType ?? '';
      const bounds = graph.types.has(namedType) ? readBounds(type, field) : [];
      const numbers = new Set(bounds.map((bound) => (bound === undefined ? -1 : numberOf(bound))));
      shape = { bounds, text: `${namedType} ${[...numbers].sort((one, other) => one - other).join('.')}` };
      ofType.set(field, shape);
    }
    return shape;
  }

  const numbers = new Map<string, number>();
  const numbered = new Map<readonly string[], Map<FederatedType, number>>();

  function shapesOf(fields: readonly string[]): (type: FederatedType) => number {
    const ofFields = numbered.get(fields) ?? new Map<FederatedType, number>();
    numbered.set(fields, ofFields);
    return (type) => {
      let number = ofFields.get(type);
      if (number === undefined) {
        const text = fields.map((field) => read(type, field).text).join();
        number = numbers.get(text) ?? numbers.size;
        numbers.set(text, number);
        ofFields.set(type, number);
      }
      return number;
    };
  }

  return { shapesOf, shapeOf: (type, field) => read(type, field).text, boundsOf: (type, field) => read(type, field).bounds, typesIn };
}
