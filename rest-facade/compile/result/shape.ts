import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { useOf } from '../documents/directives.ts';
import { type LinkMapping, readLinks } from '../links/link.ts';

/** Shown fields of an object, by response name, in the order of the document. */
export interface Shape extends ReadonlyMap<string, ShapeField> {
  /** Links of the object. Absent if it has none. */
  readonly links?: readonly LinkMapping[];
}

export interface ShapeField {
  /** Whether an ID is written as a JSON integer. */
  readonly isInteger: boolean;
  /** Whether the field is shown only if `fields` names it or a field inside it. */
  readonly isOptIn?: true;
  /** Whether the response may omit the value if the field fails. */
  readonly isNullOnError?: true;
  /** Fields of an object. Absent for leaf fields. */
  readonly fields?: Shape;
}

/** Merges all selections of an object, for every possible type, without hidden fields. */
export function compileShape(selectionSet: SelectionSetNode, owner?: FieldNode): Shape {
  const shape = new Map<string, ShapeField>();
  const links = owner === undefined ? [] : [...readLinks(owner)];
  addSelections(selectionSet, shape, links);
  return links.length === 0 ? shape : Object.assign(shape, { links });
}

function addSelections(selectionSet: SelectionSetNode, shape: Map<string, ShapeField>, links: LinkMapping[]): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // Fragments are already inlined.
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      links.push(...readLinks(selection));
      addSelections(selection.selectionSet, shape, links);
      continue;
    }
    if (useOf(selection, 'internal') !== undefined) continue;
    const name = selection.alias?.value ?? selection.name.value;
    const known = shape.get(name);
    const isInteger = (known?.isInteger ?? false) || useOf(selection, 'integer') !== undefined;
    const flags = flagsOf(selection, known);
    if (selection.selectionSet === undefined) {
      shape.set(name, { isInteger, ...flags });
      continue;
    }
    const fields = mergeShapes(known?.fields, compileShape(selection.selectionSet, selection));
    shape.set(name, { isInteger, fields, ...flags });
  }
}

/** Combines the directives of a field that is selected several times: on demand if all selections are, tolerated if any selection is. */
function flagsOf(selection: FieldNode, known: ShapeField | undefined): Pick<ShapeField, 'isOptIn' | 'isNullOnError'> {
  const isOptIn = useOf(selection, 'optIn') !== undefined && (known === undefined || known.isOptIn === true);
  const isNullOnError = useOf(selection, 'nullOnError') !== undefined || known?.isNullOnError === true;
  return { ...(isOptIn ? { isOptIn } : {}), ...(isNullOnError ? { isNullOnError } : {}) };
}

/** Merges the selections of a field that is selected several times. */
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
