import type { FieldNode } from 'graphql';

/** By object type: names of the fields by which the owner of an object is known. All of them must name the caller. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** What of an answer may not be shown, or not to everybody. */
export interface GuardedFields {
  /** By node: what is denied whatever comes, because nobody asked for it, or what owners of the object may see. */
  readonly fields: ReadonlyMap<FieldNode, GuardedField>;
  /** Objects that their owners may see. */
  readonly objects: Owners;
}

export type GuardedField =
  /** `isUndecided`: nobody could tell whether the caller may see it. */
  { readonly isUndecided: boolean } | { readonly owners: Owners };

/** Adds a name to those of a type. */
export function addOwner(owners: Map<string, Set<string>>, type: string, name: string): void {
  const known = owners.get(type);
  if (known === undefined) owners.set(type, new Set([name]));
  else known.add(name);
}
