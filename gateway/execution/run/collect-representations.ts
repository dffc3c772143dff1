import { FieldFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, writeOwn } from '../data/own-properties.ts';
import { inOnePiece, printText } from '../data/print-json.ts';
import type { CompiledRepresentation, EntityField, PathStep } from '../plan/compiled-plan.ts';
import { collectObjects, collectObjectsInSteps, isOf } from './collect-objects.ts';
import { markFailed } from './merge-entity-fields.ts';
import { type Represented, printRepresentation } from './print-representation.ts';
import { type RepresentationBatch, type MissingInputFields, type MissingInputPath, OBJECTS_OF_STEP, type RunState } from './run-state.ts';

/** Collects the representations of one `_entities` field without duplicates. */
export interface RepresentationCollector {
  readonly batch: RepresentationBatch;
  /** Indices of the representations by key value or text, for each kind of representation. */
  readonly known: Map<CompiledRepresentation, Map<unknown, number>>;
}

/** Creates an empty batch. @param missingInside Fields of each object that fail regardless of the response. */
export function createRepresentationCollector(
  field: EntityField,
  missingInside: readonly MissingInputPath[] = [],
): RepresentationCollector {
  return { batch: new EntityBatch(field, missingInside), known: new Map() };
}

class EntityBatch implements RepresentationBatch {
  readonly field: EntityField;
  readonly missingInside: readonly MissingInputPath[];
  readonly targets: DataObject[] = [];
  readonly indices: number[] = [];
  readonly missingInputs: MissingInputFields[] = [];
  size = 0;
  text = '';

  constructor(field: EntityField, missingInside: readonly MissingInputPath[]) {
    this.field = field;
    this.missingInside = missingInside;
  }

  get variableName(): string {
    return this.field.variableName;
  }

  representations(): readonly Readonly<Record<string, unknown>>[] | undefined {
    const [only, ...others] = this.field.representations;
    if (only?.single === undefined || others.length > 0) return undefined;
    const { key, typename, name } = only.single;
    const found: Readonly<Record<string, unknown>>[] = [];
    for (let position = 0; found.length < this.size; position += 1) {
      const target = this.targets[position];
      if (target === undefined) return undefined;
      // Later targets have the indices of earlier ones if their values are equal.
      if (this.indices[position] !== found.length) continue;
      const value = readKey(target, key);
      if (typeof value !== 'string' && typeof value !== 'number') return undefined;
      found.push({ __typename: typename, [name]: value });
    }
    return found;
  }
}

/** Collects the representations of all objects that a field fetches. */
export function collectAllRepresentations(field: EntityField, state: RunState): RepresentationBatch {
  const collector = createRepresentationCollector(field);
  for (const walk of field.walks) collectRepresentations(collector, collectObjects(walk, state));
  return collector.batch;
}

/** Collects the representations of all objects that a field fetches, in steps. */
export function* collectRepresentationsInSteps(field: EntityField, state: RunState): Generator<undefined, RepresentationBatch, undefined> {
  const collector = createRepresentationCollector(field);
  const { batch } = collector;
  for (const walk of field.walks) {
    const objects = yield* collectObjectsInSteps(walk, state);
    for (let start = 0; start < objects.length; start += OBJECTS_OF_STEP) {
      const before = batch.text;
      batch.text = '';
      collectRepresentations(collector, objects.slice(start, start + OBJECTS_OF_STEP));
      // The pieces of each step are joined in the step. Joining those of all steps at the end would take long.
      batch.text = before + inOnePiece(batch.text);
      yield;
    }
  }
  return batch;
}

/** Adds objects to the batch. An object without a required value is left out. Its fields fail when the required value failed. */
export function collectRepresentations(collector: RepresentationCollector, objects: readonly DataObject[]): void {
  const { batch } = collector;
  for (const object of objects) {
    const plan = choose(batch.field.representations, object);
    if (plan === undefined) continue;
    const index = indexByValue(collector, plan, object) ?? indexByText(collector, plan, object);
    if (index === undefined) continue;
    batch.targets.push(object);
    batch.indices.push(index);
  }
}

/** Writes the failures of fields that had already failed before the response arrived. */
export function applyMissingInputs({ missingInputs, missingInside, targets }: RepresentationBatch): void {
  for (const { target, keys, failure } of missingInputs) for (const key of keys) writeOwn(target, key.name, failure);
  for (const { path, failure } of missingInside) for (const target of targets) failAt(target, path, 0, failure);
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
function indexByValue(collector: RepresentationCollector, plan: CompiledRepresentation, object: DataObject): number | undefined {
  const { single } = plan;
  if (single === undefined) return undefined;
  const value = readKey(object, single.key);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const known = knownOf(collector, plan);
  return known.get(value) ?? add(collector, known, value, `${single.prefix}${typeof value === 'string' ? printText(value) : value}}`);
}

function indexByText(collector: RepresentationCollector, plan: CompiledRepresentation, object: DataObject): number | undefined {
  const { keys } = collector.batch.field;
  const { text, failure, missing } = printRepresentation(plan, object);
  // A required value is missing because of a failed fetch, so the fields of this fetch fail for the same reason.
  if (text === undefined && failure !== undefined) markFailed(object, keys, failure);
  if (text === undefined) return undefined;
  const known = knownOf(collector, plan);
  const isInVain = missing.length > 0 && isMissingWhole(missing, keys);
  const index = isInVain ? undefined : (known.get(text) ?? add(collector, known, text, text));
  for (const { field, failure: why = null } of missing) {
    const missingInputs = { target: object, index: index ?? -1, keys: field.neededBy ?? [], failure: why };
    for (const key of missingInputs.keys) writeOwn(object, key.name, why);
    if (index !== undefined) collector.batch.missingInputs.push(missingInputs);
  }
  return index;
}

/** Whether no field is left to fetch. */
function isMissingWhole(missing: Represented['missing'], keys: readonly DataKey[]): boolean {
  const missingInputs = new Set(missing.flatMap(({ field }) => field.neededBy?.map(({ name }) => name) ?? []));
  return keys.every(({ name }) => name === '__typename' || missingInputs.has(name));
}

function knownOf({ known }: RepresentationCollector, plan: CompiledRepresentation): Map<unknown, number> {
  let ofPlan = known.get(plan);
  if (ofPlan === undefined) {
    ofPlan = new Map();
    known.set(plan, ofPlan);
  }
  return ofPlan;
}

function add({ batch }: RepresentationCollector, known: Map<unknown, number>, identity: unknown, text: string): number {
  const index = batch.size;
  known.set(identity, index);
  batch.text += index === 0 ? text : `,${text}`;
  batch.size += 1;
  return index;
}
