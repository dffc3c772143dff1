import type { SelectionSetNode } from 'graphql';

/** Subgraphs and the fields that they resolve, read from the join directives of a supergraph. */
export interface FederatedGraph {
  /** Names of the subgraphs, in the order of the supergraph. */
  readonly subgraphs: readonly string[];
  /** Composite types by name, including hidden ones. */
  readonly types: Pick<ReadonlyMap<string, FederatedType>, 'get' | 'has'>;
  /** Names of the root types. */
  readonly roots: Readonly<Partial<Record<'query' | 'mutation' | 'subscription', string>>>;
  /** Names of fields that end with an underscore and a number. Generated names end like this, and must not be among them. */
  readonly numberedNames: ReadonlySet<string>;
  /**
   * Names of the fields that take an argument from a context in some subgraph (`@fromContext`), and of those that require other fields,
   * which may take one. Empty for a graph without contexts.
   */
  readonly contextFields: ReadonlySet<string>;
}

/** A graph of which all types have been read. */
export interface WholeGraph extends FederatedGraph {
  readonly types: ReadonlyMap<string, FederatedType>;
}

/** An object type, an interface or a union. */
export interface FederatedType {
  readonly name: string;
  readonly kind: 'object' | 'interface' | 'union';
  readonly fields: FederatedFields;
  /** Possible object types of a value; for an object type, the type itself. */
  readonly possibleTypes: ReadonlySet<string>;
  /** Possible object types that are public. */
  readonly publicTypes: ReadonlySet<string>;
  /** Interfaces that the type implements in any subgraph. */
  readonly interfaces: readonly string[];
  /** Definitions of the type by subgraph. Empty if the supergraph does not specify them; any subgraph may then have the type. */
  readonly subgraphs: ReadonlyMap<string, TypeInSubgraph>;
  /** Names of the contexts that its values set (`@context`), directly or as values of an interface or a union. */
  readonly contexts: readonly string[];
}

/** Fields by name, in the order of the supergraph. */
export type FederatedFields = Pick<ReadonlyMap<string, FederatedField>, 'get' | 'has' | 'keys' | 'values'>;

export interface TypeInSubgraph {
  /** Keys by which the subgraph can be entered at this type. */
  readonly keys: readonly SelectionSetNode[];
  /** Whether the subgraph defines the interface as an object type (`@interfaceObject`). */
  readonly isInterfaceObject: boolean;
  /** Possible object types of a value in the subgraph. */
  readonly possibleTypes: ReadonlySet<string>;
}

export interface FederatedField {
  readonly name: string;
  /** Printed type in the supergraph. */
  readonly type: string;
  /** Named type in `type`. */
  readonly namedType: string;
  /** Whether the field has required arguments. @defaultValue false */
  readonly hasRequiredArguments?: boolean;
  /** Definitions of the field by subgraph. */
  readonly subgraphs: ReadonlyMap<string, FieldInSubgraph>;
}

export interface FieldInSubgraph {
  /** Printed type in the subgraph, which may be narrower than in the supergraph. */
  readonly type: string;
  readonly namedType: string;
  /** Whether the subgraph only references the field and cannot resolve it, unless it is provided. */
  readonly isExternal: boolean;
  readonly requires?: SelectionSetNode;
  readonly provides?: SelectionSetNode;
  /** Label of `@override`. The subgraph resolves the field only while the label is active, or only while it is inactive. */
  readonly label?: { readonly name: string; readonly isOn: boolean };
  readonly contextArguments: readonly FederatedContextArgument[];
}

/** An argument whose value comes from an enclosing object (`@fromContext`). */
export interface FederatedContextArgument {
  readonly name: string;
  readonly type: string;
  readonly context: string;
  readonly selection: SelectionSetNode;
}
