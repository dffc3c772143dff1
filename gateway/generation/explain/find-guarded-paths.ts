import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { CompileInput } from '../create-generation.ts';
import { fragmentsOf } from '../../operation/select-operation.ts';

/** Response paths of fields that the caller may not read, or may read only of objects that they own. */
export interface GuardedPaths {
  /** Fields that are not planned. They are null in the response, each with an error. */
  readonly denied: readonly string[];
  /** Fields that are planned, and returned only for objects of the caller. */
  readonly ownersOnly: readonly string[];
}

/** Finds the guarded fields of a planned operation. @param aliases response keys of the client, by those of the normalized operation */
export function findGuardedPaths(
  { access, document, operation }: Pick<CompileInput, 'access' | 'document' | 'operation'>,
  aliases: ReadonlyMap<string, string>,
): GuardedPaths {
  const denied = new Set<string>();
  const ownersOnly = new Set<string>();
  if (access === undefined) return { denied: [], ownersOnly: [] };
  const { fields } = access.guarded;
  const fragments = fragmentsOf(document);
  const visited = new Set<string>();

  function visitField(field: FieldNode, parent: string): void {
    const key = (field.alias ?? field.name).value;
    const path = `${parent}${aliases.get(key) ?? key}`;
    const guarded = fields.get(field);
    if (guarded !== undefined) ('owners' in guarded ? ownersOnly : denied).add(path);
    if (field.selectionSet !== undefined) visitSelections(field.selectionSet, `${path}.`);
  }

  function visitSelections({ selections }: SelectionSetNode, parent: string): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) visitField(selection, parent);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visitSelections(selection.selectionSet, parent);
      else {
        const fragment = fragments.get(selection.name.value);
        const visit = `${parent} ${selection.name.value}`;
        if (fragment === undefined || visited.has(visit)) continue;
        visited.add(visit);
        visitSelections(fragment.selectionSet, parent);
      }
    }
  }

  visitSelections(operation.selectionSet, '');
  return { denied: [...denied], ownersOnly: [...ownersOnly] };
}
