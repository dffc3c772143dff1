import { FieldFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, writeOwn } from '../data/own-properties.ts';
import { printText } from '../data/print-json.ts';
import type { CompiledRepresentation, EntityField, PathStep } from '../plan/compiled-plan.ts';
import { collectObjects, isOf } from './collect-objects.ts';
import { markFailed } from './merge-entity-fields.ts';
import { type Represented, printRepresentation } from './print-representation.ts';
import type { RepresentationBatch, LostPath, RunState } from './run-state.ts';

/** Collects the representations of one `_entities` field without duplicates. */
export interface Gathering {
  readonly batch: RepresentationBatch;
  /** Indices of the representations by key value or text, for each kind of representation. */
  readonly known: Map<CompiledRepresentation, Map<unknown, number>>;
}

/** Creates an empty batch. @param lostInside Fields of each object that fail regardless of the response. */
export function createGathering(field: EntityField, lostInside: readonly LostPath[] = []): Gathering {
  return { batch: { field, targets: [], indices: [], size: 0, text: '', lost: [], lostInside }, known: new Map() };
}

/** Collects the representations of all objects that a field fetches. */
export function gatherAll(field: EntityField, state: RunState): RepresentationBatch {
  const gathering = createGathering(field);
  for (const walk of field.walks) gather(gathering, collectObjects(walk, state));
  return gathering.batch;
}

/** Adds objects to the batch. An object without a required value is left out. Its fields fail when the required value failed. */
export function gather(gathering: Gathering, objects: readonly DataObject[]): void {
  const { batch } = gathering;
  for (const object of objects) {
    const plan = choose(batch.field.representations, object);
    if (plan === undefined) continue;
    const index = indexByValue(gathering, plan, object) ?? indexByText(gathering, plan, object);
    if (index === undefined) continue;
    batch.targets.push(object);
    batch.indices.push(index);
  }
}

/** Writes the failures of fields that had already failed before the response arrived. */
export function applyLost({ lost, lostInside, targets }: RepresentationBatch): void {
  for (const { target, keys, failure } of lost) for (const key of keys) writeOwn(target, key.name, failure);
  for (const { path, failure } of lostInside) for (const target of targets) failAt(target, path, 0, failure);
}

/** Writes a failure at the end of a path, if the object that has the field exists. */
function failAt(value: unknown, path: readonly PathStep[], index: number, failure: FieldFailure): void {
  const step = path[index];
  if (Array.isArray(value)) for (const item of value) failAt(item, path, index, failure);
  else if (step !== undefined && isDataObject(value) && !(value instanceof FieldFailure) && isOf(value, path[index - 1]?.types)) {
    if (index === path.length - 1) writeOwn(value, step.key.name, failure);
    else failAt(readKey(value, step.key), path, index + 1, failure);
  }
}

function choose(plans: readonly CompiledRepresentation[], object: DataObject): CompiledRepresentation | undefined {
  for (const plan of plans) if (isOf(object, plan.types)) return plan;
  return undefined;
}

/** Finds a representation by the value of its single leaf. The value identifies it, so it need not be printed for the lookup. */
function indexByValue(gathering: Gathering, plan: CompiledRepresentation, object: DataObject): number | undefined {
  const { single } = plan;
  if (single === undefined) return undefined;
  const value = readKey(object, single.key);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const known = knownOf(gathering, plan);
  return known.get(value) ?? add(gathering, known, value, `${single.opening}${typeof value === 'string' ? printText(value) : value}}`);
}

function indexByText(gathering: Gathering, plan: CompiledRepresentation, object: DataObject): number | undefined {
  const { keys } = gathering.batch.field;
  const { text, failure, missing } = printRepresentation(plan, object);
  // A required value is missing because of a failed fetch, so the fields of this fetch fail for the same reason.
  if (text === undefined && failure !== undefined) markFailed(object, keys, failure);
  if (text === undefined) return undefined;
  const known = knownOf(gathering, plan);
  const isInVain = missing.length > 0 && isLostWhole(missing, keys);
  const index = isInVain ? undefined : (known.get(text) ?? add(gathering, known, text, text));
  for (const { field, failure: why = null } of missing) {
    const lost = { target: object, index: index ?? -1, keys: field.neededBy ?? [], failure: why };
    for (const key of lost.keys) writeOwn(object, key.name, why);
    if (index !== undefined) gathering.batch.lost.push(lost);
  }
  return index;
}

/** Whether no field is left to fetch. */
function isLostWhole(missing: Represented['missing'], keys: readonly DataKey[]): boolean {
  const lost = new Set(missing.flatMap(({ field }) => field.neededBy?.map(({ name }) => name) ?? []));
  return keys.every(({ name }) => name === '__typename' || lost.has(name));
}

function knownOf({ known }: Gathering, plan: CompiledRepresentation): Map<unknown, number> {
  let ofPlan = known.get(plan);
  if (ofPlan === undefined) {
    ofPlan = new Map();
    known.set(plan, ofPlan);
  }
  return ofPlan;
}

function add({ batch }: Gathering, known: Map<unknown, number>, identity: unknown, text: string): number {
  const index = batch.size;
  known.set(identity, index);
  batch.text += index === 0 ? text : `,${text}`;
  batch.size += 1;
  return index;
}
