/** A parsed mapping. The module of the mapping language defines its content. */
export interface SelectionNode {
  /** Text that was parsed. */
  readonly text: string;
}
