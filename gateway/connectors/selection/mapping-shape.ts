/** Statically known part of a value. */
export type MappingShape =
  /** Anything. */
  | { readonly kind: 'unknown' }
  /** No value at all. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'null' | 'boolean' | 'number' | 'string' }
  /** An object. If it is `open`, it can have other fields than those. */
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, MappingShape>; readonly open: boolean }
  | { readonly kind: 'list'; readonly items: MappingShape }
  /** One of several shapes, none of which is a union. */
  | { readonly kind: 'union'; readonly members: readonly MappingShape[] };
