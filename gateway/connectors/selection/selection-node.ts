/** A mapping as a tree. All offsets are positions in the text, in UTF-16 code units. */
export type SelectionNode = ObjectNode | PathNode | LiteralNode | ListNode | FallbackNode;

/** Fields of an output object: `id name`, `{ id name }` after a path, or the literal `{ id: 1, name: $.name }`. */
export interface ObjectNode {
  readonly kind: 'object';
  readonly offset: number;
  /**
   * `true` for a selection, which is applied to a value (each item, if that is a list) and binds `$` to it. `false` for a literal or a
   * named group, in which `$` is unchanged.
   */
  readonly isSelection: boolean;
  /** Separator of the fields in text: commas in literals before version 0.4. */
  readonly separator: ' ' | ', ';
  readonly fields: readonly FieldNode[];
}

/** One field of an output object, or, without a name, an object whose fields are merged into the output object. */
export interface FieldNode {
  readonly offset: number;
  /** Name in the output. */
  readonly name: string | undefined;
  /** Whether `...` precedes the value. */
  readonly isSpread: boolean;
  readonly value: SelectionNode;
}

/** A value that is read in steps: `$args.filter`, `author.name`, `items->first { id }`. */
export interface PathNode {
  readonly kind: 'path';
  readonly offset: number;
  readonly head: PathHead;
  readonly steps: readonly SelectionStep[];
  readonly selection: ObjectNode | undefined;
}

/** Start of a path. */
export type PathHead =
  /** A property of `$`: `author` in `author.name`. */
  | { readonly kind: 'key'; readonly name: string; readonly offset: number }
  /** `$args`, or a name that `->as` declares; with the dollar sign. */
  | { readonly kind: 'variable'; readonly name: string; readonly offset: number }
  /** `$`: the value of the nearest selection. */
  | { readonly kind: 'root'; readonly offset: number }
  /** `@`: the input of the nearest method. */
  | { readonly kind: 'current'; readonly offset: number }
  /** `$(…)`, or a literal with steps. */
  | { readonly kind: 'expression'; readonly value: SelectionNode; readonly isWrapped: boolean; readonly offset: number };

/** One step of a path. */
export type SelectionStep =
  | { readonly kind: 'key'; readonly name: string; readonly offset: number }
  /** `?`: null ends the path without a problem. */
  | { readonly kind: 'optional'; readonly offset: number }
  | MethodNode;

/** A call of a method: `->slice(0, 5)`. */
export interface MethodNode {
  readonly kind: 'method';
  readonly name: string;
  readonly offset: number;
  readonly args: readonly SelectionNode[];
}

/** A string, number, boolean or null. */
export interface LiteralNode {
  readonly kind: 'literal';
  readonly offset: number;
  readonly value: string | number | boolean | null;
}

/** A list literal: `[1, $.id]`. */
export interface ListNode {
  readonly kind: 'list';
  readonly offset: number;
  readonly items: readonly SelectionNode[];
}

/** A chain of values of which the first usable one is taken: `??` skips null and missing values, `?!` only missing ones. */
export interface FallbackNode {
  readonly kind: 'fallback';
  readonly offset: number;
  readonly operator: '??' | '?!';
  readonly operands: readonly SelectionNode[];
}
