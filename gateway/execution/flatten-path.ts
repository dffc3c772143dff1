import { FieldFailure } from './field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, readOwn, toDataKey } from './own-properties.ts';

/** One step towards the objects that a fetch works on: into a field, into each item of a list, or past a check of the type. */
export type PathStep =
  | { readonly kind: 'field'; readonly key: DataKey }
  | { readonly kind: 'items' }
  | { readonly kind: 'type'; readonly typenames: ReadonlySet<string> };

/** Steps from the root of the response to the objects of a fetch. */
export type FlattenPath = readonly PathStep[];

/** Called with each object that a path leads to, and with where it stands: the array is reused, copy it to keep it. */
export type TargetVisitor = (target: DataObject, position: readonly (string | number)[]) => void;

const TYPES_SUFFIX = /^(.*?)\|\[(.*)\]$/;

/** Compiles the path of a flatten node: `@` stands for the items of a list, `key|[A,B]` for a field with the types it must have. */
export function compileFlattenPath(path: readonly (string | number)[]): FlattenPath {
  const steps: PathStep[] = [];
  for (const element of path) {
    const text = String(element);
    const match = TYPES_SUFFIX.exec(text);
    const key = match?.[1] ?? text;
    if (key === '@') steps.push({ kind: 'items' });
    else if (key !== '') steps.push({ kind: 'field', key: toDataKey(key) });
    if (match?.[2] !== undefined) steps.push({ kind: 'type', typenames: new Set(match[2].split(',')) });
  }
  return steps;
}

/** All objects at a path, in the order of the response. What is null, failed or of the wrong shape is passed over. */
export function collectTargets(root: DataObject, path: FlattenPath): DataObject[] {
  const targets: DataObject[] = [];
  collect(root, path, 0, targets);
  return targets;
}

function collect(value: unknown, path: FlattenPath, index: number, targets: DataObject[]): void {
  if (typeof value !== 'object' || value === null || value instanceof FieldFailure) return;
  const step = path[index];
  if (step?.kind === 'items') {
    if (!Array.isArray(value)) return;
    for (const item of value) collect(item, path, index + 1, targets);
    return;
  }
  if (Array.isArray(value)) return;
  if (step === undefined) targets.push(value as DataObject);
  else if (step.kind === 'field') collect(readKey(value as DataObject, step.key), path, index + 1, targets);
  else if (step.typenames.has(String(readOwn(value, '__typename')))) collect(value, path, index + 1, targets);
}

/** Visits all objects at a path with their positions in the response. Only errors need it. */
export function visitTargets(root: DataObject, path: FlattenPath, visit: TargetVisitor): void {
  const position: (string | number)[] = [];
  const follow = (value: unknown, index: number): void => {
    const step = path[index];
    if (step?.kind === 'items') {
      if (!Array.isArray(value)) return;
      for (const [itemIndex, item] of value.entries()) {
        position.push(itemIndex);
        follow(item, index + 1);
        position.pop();
      }
    } else if (!isDataObject(value) || value instanceof FieldFailure) {
      return;
    } else if (step === undefined) {
      visit(value, position);
    } else if (step.kind === 'type') {
      if (step.typenames.has(String(readOwn(value, '__typename')))) follow(value, index + 1);
    } else {
      position.push(step.key.name);
      follow(readKey(value, step.key), index + 1);
      position.pop();
    }
  };
  follow(root, 0);
}
