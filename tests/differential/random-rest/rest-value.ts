import { Kind, type TypeNode } from 'graphql';
import type { FieldFacts } from '../random-federation/read-facts.ts';

/** How a back end writes a scalar or an enum value in JSON. */
export type LeafFormat =
  | { readonly kind: 'same' }
  /** Each value has another text. */
  | { readonly kind: 'renamed'; readonly values: readonly (readonly [schema: string | boolean, json: string])[] }
  /** JSON in a string. */
  | { readonly kind: 'json text' }
  /** A whole number in a string. */
  | { readonly kind: 'digits' };

/** Format of a value in the JSON of a back end. Lists of any depth and null have the format of their items. */
export type RestValue =
  | { readonly kind: 'leaf'; readonly format: LeafFormat; readonly lists: number }
  | { readonly kind: 'object'; readonly object: RestObject }
  /** An interface or a union: a property of the JSON object determines its type. */
  | { readonly kind: 'abstract'; readonly tag: string; readonly members: readonly RestMember[] };

export interface RestMember {
  /** Value of the tag. */
  readonly value: string;
  readonly object: RestObject;
}

/** Fields of an object that a back end returns at one position. */
export interface RestObject {
  /** Name of the type in the subgraph. */
  readonly type: string;
  readonly fields: readonly RestField[];
}

/** A field of an object in JSON. */
export interface RestField {
  readonly facts: FieldFacts;
  /** Names of the properties that lead to the value. A flat object has no property: this is the prefix of its properties. */
  readonly path: readonly string[];
  readonly isFlat: boolean;
  readonly value: RestValue;
}

/** Returns the number of lists around the named type. */
export function listsIn(type: TypeNode): number {
  if (type.kind === Kind.NAMED_TYPE) return 0;
  return (type.kind === Kind.LIST_TYPE ? 1 : 0) + listsIn(type.type);
}

/** Returns the name in a type, without lists and non-null markers. */
export function namedIn(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedIn(type.type);
}
