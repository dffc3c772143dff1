import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { useOf } from '../documents/directives.ts';
import { type LinkMapping, readLinks } from '../links/link.ts';

/** What an object shows, by response name, in the order of the document. */
export interface Shape extends ReadonlyMap<string, ShapeField> {
  /** Where one can go from the object; absent where nothing is said of it. */
  readonly links?: readonly LinkMapping[];
}

export interface ShapeField {
  /** An ID that is written as a JSON integer. */
  readonly isInteger: boolean;
  /** Shown only where it, or a part of it, is asked for by name. */
  readonly isOnDemand?: true;
  /** May be missing where it cannot be had. */
  readonly isTolerated?: true;
  /** Absent for leaves. */
  readonly fields?: Shape;
}

/** Merges all selections of one object, whichever type they are for; what is hidden is not among them. */
export function compileShape(selectionSet: SelectionSetNode, owner?: FieldNode): Shape {
  const shape = new Map<string, ShapeField>();
  const links = owner === undefined ? [] : [...readLinks(owner)];
  addSelections(selectionSet, shape, links);
  return links.length === 0 ? shape : Object.assign(shape, { links });
}

function addSelections(selectionSet: SelectionSetNode, shape: Map<string, ShapeField>, links: LinkMapping[]): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // inlined before
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      links.push(...readLinks(selection));
      addSelections(selection.selectionSet, shape, links);
      continue;
    }
    if (useOf(selection, 'hide') !== undefined) continue;
    const name = selection.alias?.value ?? selection.name.value;
    const known = shape.get(name);
    const isInteger = (known?.isInteger ?? false) || useOf(selection, 'integer') !== undefined;
    const marks = marksOf(selection, known);
    if (selection.selectionSet === undefined) {
      shape.set(name, { isInteger, ...marks });
      continue;
    }
    const fields = mergeShapes(known?.fields, compileShape(selection.selectionSet, selection));
    shape.set(name, { isInteger, fields, ...marks });
  }
}

/** Selected in several places, a field is on demand where it is in all of them, and tolerated where it is in one. */
function marksOf(selection: FieldNode, known: ShapeField | undefined): Pick<ShapeField, 'isOnDemand' | 'isTolerated'> {
  const isOnDemand = useOf(selection, 'onDemand') !== undefined && (known === undefined || known.isOnDemand === true);
  const isTolerated = useOf(selection, 'tolerated') !== undefined || known?.isTolerated === true;
  return { ...(isOnDemand ? { isOnDemand } : {}), ...(isTolerated ? { isTolerated } : {}) };
}

/** A field that is selected in several places shows what each of them selects. */
function mergeShapes(one: Shape | undefined, other: Shape): Shape {
  if (one === undefined) return other;
  const merged = new Map<string, ShapeField>(one);
  for (const [name, field] of other) {
    const known = merged.get(name);
    const fields = field.fields && mergeShapes(known?.fields, field.fields);
    merged.set(name, {
      ...known,
      ...field,
      isInteger: field.isInteger || known?.isInteger === true,
      ...(fields === undefined ? {} : { fields }),
    });
  }
  const links = [...(one.links ?? []), ...(other.links ?? [])];
  return links.length === 0 ? merged : Object.assign(merged, { links });
}
