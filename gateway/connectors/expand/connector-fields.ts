import type { ConnectorDefinition } from '../definition/connector-definition.ts';

/** An output field of a selection, with the fields that the selection maps inside it. */
export interface MappedField {
  readonly name: string;
  /** Fields inside. Absent if the value is a scalar, or if its fields depend on the data. */
  readonly children?: readonly MappedField[] | undefined;
  /** Whether the value is certainly a scalar. Undefined if that depends on the data. */
  readonly isLeaf?: boolean | undefined;
  /** Type of the objects that have the field. Absent if all objects have it. */
  readonly typename?: string | undefined;
}

/** A use of a variable in an expression: `$this.owner.id`, or `$this { owner { id } }`. */
export interface InputUse {
  /** Name with the dollar sign. */
  readonly variable: string;
  readonly path: readonly { readonly name: string }[];
  /** Fields that are used of the value at `path`. Absent if the whole value is used. */
  readonly subtree?: readonly MappedField[] | undefined;
}

/** A connector with the fields that it maps, and the variables that its expressions use. */
export interface ConnectorFields {
  readonly definition: ConnectorDefinition;
  /** Fields of the result. Empty if the result is a scalar. */
  readonly mapped: readonly MappedField[];
  readonly inputs: readonly InputUse[];
}
