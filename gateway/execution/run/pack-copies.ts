import type { CompiledRequest, ContextVariable, EntityField, FieldCopy, RequestCopies, RequestText } from '../plan/compiled-plan.ts';
import { groupByContext } from './context-variables.ts';
import { createRepresentationCollector, collectRepresentations, collectAllRepresentations } from './collect-representations.ts';
import { markFailed } from './merge-entity-fields.ts';
import type { RepresentationBatch, RunState } from './run-state.ts';

/**
 * Maximum number of `_entities` fields in one request. More would make the parser and validator of the subgraph the bottleneck.
 *
 * @unit fields
 */
const MAX_COPIES = 1_000;

/**
 * Length from which a request accepts no further copy. A single copy can be longer, because its objects cannot be split further than a
 * request without contexts splits them.
 *
 * @unit characters
 */
const MAX_LENGTH = 1_048_576;

/** A request that is ready to be sent. */
export interface PackedRequest {
  readonly text: RequestText;
  readonly batches: readonly RepresentationBatch[];
  /** JSON members of the variables that the executor adds, except the representations. */
  readonly own: string;
}

/** Objects of one `_entities` field with the same context values. */
interface Group {
  readonly position: number;
  readonly batch: RepresentationBatch;
  readonly values: readonly (string | undefined)[];
}

interface Draft {
  readonly groups: Group[];
  length: number;
}

/**
 * Packs the objects of a request with context arguments into as few requests as the limits allow. Each set of context values needs its own
 * `_entities` field.
 */
export function packCopies(request: CompiledRequest, copies: RequestCopies, state: RunState): readonly PackedRequest[] {
  const drafts: Draft[] = [];
  for (const group of request.entities.flatMap((field, position) => groupsOf(field, position, state))) {
    const length =
      copies.lengthOf(group.position) + group.batch.text.length + group.values.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    const last = drafts.at(-1);
    if (last === undefined || last.groups.length >= MAX_COPIES || last.length + length > MAX_LENGTH)
      drafts.push({ groups: [group], length });
    else {
      last.groups.push(group);
      last.length += length;
    }
  }
  return drafts.map(({ groups }) => packGroups(groups, request, copies));
}

function groupsOf(field: EntityField, position: number, state: RunState): readonly Group[] {
  const { context, paths } = field;
  if (context === undefined) {
    const batch = collectAllRepresentations(field, state);
    return batch.size === 0 ? [] : [{ position, batch, values: [] }];
  }
  return paths.flatMap((path) => {
    const { groups, failed } = groupByContext(state.data, path, context);
    for (const { object, failure } of failed) markFailed(object, field.keys, failure);
    return groups.flatMap(({ objects, values, missingInputs }) => {
      const collector = createRepresentationCollector(field, missingInputs);
      collectRepresentations(collector, objects);
      return collector.batch.size === 0 ? [] : [{ position, batch: collector.batch, values }];
    });
  });
}

function packGroups(groups: readonly Group[], request: CompiledRequest, copies: RequestCopies): PackedRequest {
  const counts = request.entities.map(() => 0);
  const fields: FieldCopy[] = [];
  const batches: RepresentationBatch[] = [];
  let own = '';
  for (const { position, batch, values } of groups) {
    const count = counts[position] ?? 0;
    counts[position] = count + 1;
    const suffix = copies.suffixOf(count);
    fields.push({ position, suffix });
    batches.push(count === 0 ? batch : { ...batch, field: withSuffix(batch.field, suffix) });
    own = joined(own, printValues(batch.field.context ?? [], values, suffix));
  }
  return { text: textOf(fields, request, copies), batches, own };
}

/** Returns the request text. When each field occurs once, the text is constant and already compiled. */
function textOf(fields: readonly FieldCopy[], { texts, entities }: CompiledRequest, copies: RequestCopies): RequestText {
  const isPlain = fields.every(({ suffix }) => suffix === '');
  if (!isPlain) return copies.print(fields);
  return fields.length === entities.length ? texts.whole : texts.segmentOf(fields.map(({ position }) => position));
}

function withSuffix(field: EntityField, suffix: string): EntityField {
  const variableName = field.variableName + suffix;
  return { ...field, responseKey: field.responseKey + suffix, variableName, variable: `${JSON.stringify(variableName)}:[` };
}

/** Prints context values as JSON members. A value that no object has is left out, like an optional client variable. */
function printValues(context: readonly ContextVariable[], values: readonly (string | undefined)[], suffix: string): string {
  let members = '';
  for (const [index, { name }] of context.entries()) {
    const value = values[index];
    if (value !== undefined) members = joined(members, `${JSON.stringify(name + suffix)}:${value}`);
  }
  return members;
}

/** Appends a member to the text of a JSON object without braces. */
export function joined(members: string, member: string): string {
  return members === '' || member === '' ? members + member : `${members},${member}`;
}
