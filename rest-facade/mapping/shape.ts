import { Kind, type SelectionSetNode } from 'graphql';
import { useOf } from './directive-values.ts';

/** What an object shows, by response name, in the order of the document. */
export type Shape = ReadonlyMap<string, ShapeField>;

export interface ShapeField {
  /** An ID that is written as a JSON integer. */
  readonly isInteger: boolean;
  /** Absent for leaves. */
  readonly fields?: Shape;
}

/** Merges all selections of one object, whichever type they are for. */
export function compileShape(selectionSet: SelectionSetNode): Shape {
  const shape = new Map<string, ShapeField>();
  addSelections(selectionSet, shape);
  return shape;
}

function addSelections(selectionSet: SelectionSetNode, shape: Map<string, ShapeField>): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // inlined before
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      addSelections(selection.selectionSet, shape);
      continue;
    }
    const name = selection.alias?.value ?? selection.name.value;
    const known = shape.get(name);
    const isInteger = (known?.isInteger ?? false) || useOf(selection, 'integer') !== undefined;
    if (selection.selectionSet === undefined) {
      shape.set(name, { isInteger });
      continue;
    }
    const fields = new Map(known?.fields);
    addSelections(selection.selectionSet, fields);
    shape.set(name, { isInteger, fields });
  }
}
