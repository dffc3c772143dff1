/** A field, with the position of its name in the text of the mapping, in UTF-16 code units. */
export interface SelectedField {
  readonly name: string;
  readonly offset: number;
  /** Fields below it. Not present if they are unknown, or if the value is a scalar. */
  readonly children?: readonly SelectedField[];
  /** Whether the value is a scalar. `undefined` if that depends on the data. */
  readonly isLeaf: boolean | undefined;
  /** Literal of `__typename` in the same object: only objects of this type have the field. Not present if all objects have it. */
  readonly typename?: string;
}
