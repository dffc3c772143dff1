import type { SelectionSetNode } from 'graphql';
import type { ConnectorDefinition } from '../definition/connector-definition.ts';

/** A connector as a separate subgraph, which the planner enters, and which sends one kind of HTTP request. */
export interface VirtualSubgraph {
  /** Name in the expanded supergraph: `books:Query.book`, with `#2`, `#3`, … for further connectors of one coordinate. */
  readonly name: string;
  readonly connector: ConnectorDefinition;
  /**
   * Entrance of requests: `root` at fields of the root types, `entities` at representations, or `both` for a root field with `entity: true`.
   */
  readonly entry: 'root' | 'entities' | 'both';
  /**
   * Fields of representations, one set for each key: from `$this`, from `$batch`, or from the arguments of a root field with `entity: true`.
   * Empty for `root`.
   */
  readonly keys: readonly SelectionSetNode[];
  /**
   * Fields of `$this` from which the field of the connector is computed, without those that identify the object by an explicit `@key`.
   * Absent if there are none.
   */
  readonly requires?: SelectionSetNode;
  /** Interfaces that the declaring subgraph defines as objects (`@interfaceObject`). Absent if there are none. */
  readonly interfaceObjects?: ReadonlySet<string>;
}
