import { type FieldFailure, orFailure } from '../data/field-failure.ts';
import { type DataObject, readKey } from '../data/own-properties.ts';
import { printText } from '../data/print-text.ts';
import type { CompiledRepresentation, EntityField } from '../plan/compiled-plan.ts';
import { isOf } from './collect-objects.ts';
import { markFailed } from './merge-fields.ts';
import { findFailure, printRepresentation } from './print-representation.ts';
import type { Batch } from './run-state.ts';

/** Collects representations of one `_entities` field; equal ones once. */
export interface Gathering {
  readonly batch: Batch;
  /** By the way that they are made, indices of representations by key value or by text. */
  readonly known: Map<CompiledRepresentation, Map<unknown, number>>;
}

/** Begins to gather. */
export function createGathering(field: EntityField): Gathering {
  return { batch: { field, targets: [], indices: [], size: 0, text: '' }, known: new Map() };
}

/** Adds objects. One that lacks something required is left out; its fields fail when that failed. */
export function gather(gathering: Gathering, objects: readonly DataObject[]): void {
  const { batch } = gathering;
  const plans = batch.field.representations;
  for (const object of objects) {
    const plan = choose(plans, object);
    if (plan === undefined) continue;
    const index = indexOf(gathering, plan, object);
    if (typeof index === 'number') {
      batch.targets.push(object);
      batch.indices.push(index);
    } else {
      // What a failed fetch should have given, and this one needs, makes this one's fields fail for the same cause.
      const failure = index ?? findFailure(object, plan.fields);
      if (failure !== undefined) markFailed(object, batch.field.keys, failure);
    }
  }
}

function choose(plans: readonly CompiledRepresentation[], object: DataObject): CompiledRepresentation | undefined {
  for (const plan of plans) if (isOf(object, plan.types)) return plan;
  return undefined;
}

/** The index of an object's representation: a new one when no other object had an equal one. */
function indexOf(gathering: Gathering, plan: CompiledRepresentation, object: DataObject): number | FieldFailure | undefined {
  let known = gathering.known.get(plan);
  if (known === undefined) {
    known = new Map();
    gathering.known.set(plan, known);
  }
  if (plan.single !== undefined) {
    const value = readKey(object, plan.single.key);
    // Of a single leaf the value says it all, and need not be printed to be found again.
    if (typeof value === 'string' || typeof value === 'number') {
      const index = known.get(value);
      if (index !== undefined) return index;
      const printed = typeof value === 'string' ? printText(value) : value;
      return add(gathering, known, value, `${plan.single.opening}${printed}}`);
    }
  }
  const text = orFailure(() => printRepresentation(plan, object));
  if (typeof text !== 'string') return text;
  return known.get(text) ?? add(gathering, known, text, text);
}

function add({ batch }: Gathering, known: Map<unknown, number>, identity: unknown, text: string): number {
  const index = batch.size;
  known.set(identity, index);
  batch.text += index === 0 ? text : `,${text}`;
  batch.size += 1;
  return index;
}
