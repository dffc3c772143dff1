import { createRandom, type Random } from '../../tests/support/random/random.ts';
import { fieldsOf, type GraphSize, isObjectType, ITEMS_PER_LIST, namedTypeOf } from './large-supergraph.ts';

export const OPERATION_SIZES = ['small', 'medium', 'large'] as const;

/** Size of a generated operation. */
export type OperationSize = (typeof OPERATION_SIZES)[number];

/** Number of fields, and the maximum number of nested objects. */
const SHAPES: Readonly<Record<OperationSize, { readonly fields: number; readonly depth: number }>> = {
  small: { fields: 6, depth: 2 },
  medium: { fields: 30, depth: 4 },
  large: { fields: 120, depth: 6 },
};

/** Maximum number of lists that contain an object. With two items in each, a response has at most four times the fields of its operation. */
const MAX_NESTED_LISTS = 2;

/** Selection of an object of the response. */
interface Selection {
  readonly type: string;
  readonly depth: number;
  /** Number of lists that contain the object. */
  readonly lists: number;
  /** Selected fields by name. */
  readonly fields: Map<string, SelectedField>;
}

interface SelectedField {
  readonly args: string;
  readonly child?: Selection;
}

/**
 * Writes an operation that selects random fields, starting at one entity. The operation of a number is the same in each run. Operations of
 * different numbers have different names.
 */
export function writeNewOperation(kind: OperationSize, number: number, size: GraphSize): string {
  const random = createRandom(number * OPERATION_SIZES.length + OPERATION_SIZES.indexOf(kind));
  const entity = random.below(size.entities);
  const root: Selection = { type: `E${entity}`, depth: 0, lists: 0, fields: new Map() };
  const open = [root];
  const { fields, depth } = SHAPES[kind];
  for (let count = 0; count < fields && open.length > 0; ) {
    const selection = random.pick(open);
    const field = addField(selection, depth, random, size);
    if (field === undefined) open.splice(open.indexOf(selection), 1);
    else count += 1;
    if (field?.child !== undefined) open.push(field.child);
  }
  return `query ${kind}${number} { e${entity}(id: "${number}") ${printSelection(root)} }`;
}

/** Adds a random field. @returns undefined when no field can be added */
function addField({ type, depth, lists, fields }: Selection, maxDepth: number, random: Random, size: GraphSize): SelectedField | undefined {
  const isAllowed = (isObject: boolean, isList: boolean): boolean =>
    !isObject || (depth < maxDepth && (!isList || lists < MAX_NESTED_LISTS));
  const possible = fieldsOf(type, size).filter(
    (field) => !fields.has(field.name) && isAllowed(isObjectType(field.type), field.args !== undefined),
  );
  if (possible.length === 0) return undefined;
  const field = random.pick(possible);
  const isList = field.args !== undefined;
  const child: Selection = { type: namedTypeOf(field.type), depth: depth + 1, lists: lists + Number(isList), fields: new Map() };
  const added = { args: isList ? `(first: ${ITEMS_PER_LIST})` : '', ...(isObjectType(field.type) ? { child } : {}) };
  fields.set(field.name, added);
  return added;
}

function printSelection({ fields }: Selection): string {
  const printed = [...fields].map(([name, { args, child }]) => `${name}${args}${child === undefined ? '' : ` ${printSelection(child)}`}`);
  return `{ __typename ${printed.join(' ')} }`;
}
