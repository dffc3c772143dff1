/** A value that the reader of test modules does not know. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Absence in terms of Rust, as opposed to the null of JSON. */
export const NONE: unique symbol = Symbol('none');

/** A tuple, unlike a list. */
export class RustTuple {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** A value of `Some`. */
export class RustSome {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A closure, or a block that is evaluated once. */
export class RustClosure {
  readonly parameters: readonly string[];
  /** First word of the body, and the word after its last. */
  readonly range: readonly [start: number, end: number];
  /** Variables that are visible where the closure is written. */
  readonly scope: ReadonlyMap<string, unknown>;

  constructor(parameters: readonly string[], range: readonly [start: number, end: number], scope: ReadonlyMap<string, unknown>) {
    this.parameters = parameters;
    this.range = range;
    this.scope = scope;
  }
}

/** Whether a value is unknown, or contains an unknown one. */
export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsUnknown);
}
