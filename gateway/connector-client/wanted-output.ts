import { type FieldNode, Kind, type SelectionNode as FieldOrFragment, type SelectionSetNode } from 'graphql';
import type { OutputContext } from './output-fields.ts';

/** Output fields of a mapping that an operation needs, by name, with the fields below them. Undefined below a leaf. */
export type WantedOutput = Map<string, WantedOutput | undefined>;

/**
 * Lists the fields that an operation needs of a mapped value. Other fields need not be mapped. Type conditions are not evaluated, because
 * the type of a value may be known only after it was mapped.
 */
export function wantedOutput(selections: readonly FieldOrFragment[], context: Pick<OutputContext, 'fragments' | 'applies'>): WantedOutput {
  const wanted: WantedOutput = new Map([['__typename', undefined]]);
  addWanted(wanted, selections, context);
  return wanted;
}

/** Adds the fields of a key to wanted fields. */
export function addKey(wanted: WantedOutput, key: SelectionSetNode): void {
  addWanted(wanted, key.selections, { fragments: new Map(), applies: () => true });
}

function addWanted(
  wanted: WantedOutput,
  selections: readonly FieldOrFragment[],
  context: Pick<OutputContext, 'fragments' | 'applies'>,
): void {
  for (const node of selections) {
    if (!context.applies(node)) continue;
    if (node.kind === Kind.FIELD) {
      addField(wanted, node, context);
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : context.fragments.get(node.name.value);
    addWanted(wanted, fragment?.selectionSet.selections ?? [], context);
  }
}

function addField(wanted: WantedOutput, { name, selectionSet }: FieldNode, context: Pick<OutputContext, 'fragments' | 'applies'>): void {
  if (selectionSet === undefined) {
    if (!wanted.has(name.value)) wanted.set(name.value, undefined);
    return;
  }
  const below = wanted.get(name.value) ?? new Map([['__typename', undefined]]);
  wanted.set(name.value, below);
  addWanted(below, selectionSet.selections, context);
}
