import type { SelectedField } from './selected-field.ts';

/** A location that reads a variable. */
export interface VariableUse {
  /** Name with the dollar sign. */
  readonly variable: string;
  /** Properties after the variable, up to the first method or selection: `owner`, `id` of `$this.owner.id`. */
  readonly path: readonly { readonly name: string; readonly offset: number }[];
  /** Properties that are read below the path, in selections and in arguments of methods: `id` of `$this.owner { id }`. */
  readonly subtree?: readonly SelectedField[];
  /** Position of the variable in the text. @unit UTF-16 code units */
  readonly offset: number;
}
