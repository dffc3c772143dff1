import type { SelectionSetNode } from 'graphql';

/** What a supergraph says about who can answer what: the join directives as maps. */
export interface FederatedGraph {
  /** In the order of the supergraph. */
  readonly subgraphs: readonly string[];
  /** Composite types by name, hidden ones included. */
  readonly types: ReadonlyMap<string, FederatedType>;
  /** Names of the root types. */
  readonly roots: Readonly<Partial<Record<'query' | 'mutation' | 'subscription', string>>>;
  /** Whether a name stands for a field of any type: what is made up must not be one. */
  readonly fieldNames: ReadonlySet<string>;
}

/** An object type, an interface or a union. */
export interface FederatedType {
  readonly name: string;
  readonly kind: 'object' | 'interface' | 'union';
  readonly fields: ReadonlyMap<string, FederatedField>;
  /** The object types that a value can be of; of an object type, itself. */
  readonly possibleTypes: ReadonlySet<string>;
  /** Those of them that clients may see. */
  readonly publicTypes: ReadonlySet<string>;
  /** Interfaces that it implements in any subgraph. */
  readonly interfaces: readonly string[];
  /** By subgraph that has the type. Empty in a supergraph that does not say it: then all of them may have it. */
  readonly subgraphs: ReadonlyMap<string, TypeInSubgraph>;
  /** Names of the contexts that its values open (`@context`), by themselves or as values of an interface or a union. */
  readonly contexts: readonly string[];
}

export interface TypeInSubgraph {
  /** Keys by which the subgraph can be entered at this type. */
  readonly keys: readonly SelectionSetNode[];
  /** An interface that the subgraph knows as an object type (`@interfaceObject`). */
  readonly isInterfaceObject: boolean;
  /** The object types that the subgraph knows a value can be of. */
  readonly possibleTypes: ReadonlySet<string>;
}

export interface FederatedField {
  readonly name: string;
  /** As GraphQL prints it, in the supergraph. */
  readonly type: string;
  /** The named type in `type`. */
  readonly namedType: string;
  /** Whether it cannot be asked for by its name alone. @defaultValue false */
  readonly hasRequiredArguments?: boolean;
  /** By subgraph that has the field. */
  readonly subgraphs: ReadonlyMap<string, FieldInSubgraph>;
}

export interface FieldInSubgraph {
  /** As GraphQL prints it, in the subgraph; it may be narrower than in the supergraph. */
  readonly type: string;
  readonly namedType: string;
  /** The subgraph names the field and cannot resolve it, unless it is provided. */
  readonly isExternal: boolean;
  readonly requires?: SelectionSetNode;
  readonly provides?: SelectionSetNode;
  /** The subgraph resolves the field only while a label is on, or only while it is off. */
  readonly label?: { readonly name: string; readonly isOn: boolean };
  readonly contextArguments: readonly FederatedContextArgument[];
}

/** An argument that is filled from an object further out (`@fromContext`). */
export interface FederatedContextArgument {
  readonly name: string;
  readonly type: string;
  readonly context: string;
  readonly selection: SelectionSetNode;
}
