import type { FederatedType } from '../../supergraph/federated-graph.ts';
import { type Resolving, plainSource, resolverOf, subgraphsNaming } from '../resolvable.ts';

/** Tells of which types the values of fields are. */
export interface FieldShapes {
  /** Names all that decides of which types the values of a field can be. */
  shapeOf(type: FederatedType, field: string): string;
  /** Numbers the shapes of several fields: equal for types whose fields have the same shapes. One list of names is to be one array. */
  shapesOf(fields: readonly string[]): (type: FederatedType) => number;
  /** For each subgraph that resolves a field, the object types that it knows its values can be of; undefined where it cannot tell. */
  boundsOf(type: FederatedType, field: string): readonly (ReadonlySet<string> | undefined)[];
  /** The object types that values of a type can be of in a subgraph; undefined where the subgraph cannot tell. */
  typesIn(subgraph: string, typename: string): ReadonlySet<string> | undefined;
}

interface FieldShape {
  readonly bounds: readonly (ReadonlySet<string> | undefined)[];
  readonly text: string;
}

/** @param numberOf numbers sets of types: equal for sets of the same types */
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
