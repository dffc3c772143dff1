import { isJsonObject, setOwnProperty } from '../connectors/selection/json-values.ts';
import type { CallResult, ConnectorCalls } from './connector-calls.ts';
import type { ConnectorCall, EntitiesField, EntitySelection } from './connector-operation.ts';
import { matchBatch } from './match-batch.ts';
import type { ConnectorError } from './connector-result.ts';
import { ownValue } from './select-output.ts';

type Values = Readonly<Record<string, unknown>>;

/** Entities of one field `_entities`, in the order of the representations, and the errors of those that are missing. */
export interface FoundEntities {
  readonly entities: readonly unknown[];
  readonly errors: readonly { readonly error: ConnectorError; readonly path: readonly (string | number)[] }[];
}

/** Representations that are equal, which are requested once. */
interface Requested {
  readonly representation: Values;
  readonly selection: EntitySelection;
  readonly indices: number[];
  /** Errors of the fields that the caller may not read, by response key. */
  readonly denied: ReadonlyMap<string, ConnectorError>;
}

const NONE_DENIED: Requested['denied'] = new Map();

/**
 * Resolves the entities of a field: with one request for each distinct representation, or one for each batch if the connector has batches.
 * An entity that cannot be resolved does not affect the others.
 *
 * @param areDistinct whether the representations are known to be of different entities
 * @throws the reason of the signal
 */
export function entitiesOf(field: EntitiesField, variables: Values, calls: ConnectorCalls, areDistinct: boolean): Promise<FoundEntities> {
  const representations = field.representationsOf(variables);
  const found = { entities: representations.map((): unknown => null), errors: [] as FoundEntities['errors'][number][] };
  const different = distinct(representations, field, areDistinct);
  const all = calls.hasAccess ? different.map((one) => withAccess(one, calls)) : different;
  const requested = calls.hasAccess ? all.filter((one) => !isDenied(one, found)) : all;
  return request(requested, variables, calls, found).then(() => {
    if (calls.hasAccess) for (const one of all) addDenials(one, found);
    // Errors have the order of the representations, and not that of the responses.
    if (found.errors.length > 1) found.errors.sort((one, other) => Number(one.path[0]) - Number(other.path[0]));
    return found;
  });
}

/** Sends the requests for entities, and adds the results. Most batches are one request, which needs no other promise. */
function request(requested: readonly Requested[], variables: Values, calls: ConnectorCalls, found: Mutable): Promise<unknown> {
  const { connector } = calls.virtual;
  if (connector.isEntity && calls.usesBatch) {
    const size = connector.batchMaxSize ?? Number.MAX_SAFE_INTEGER;
    if (requested.length <= size) return addBatch(requested, calls, found);
    return Promise.all(chunksOf(requested, size).map((batch) => addBatch(batch, calls, found)));
  }
  if (connector.isEntity) return Promise.all(requested.map((one) => addEntity(one, calls, found)));
  return Promise.all(requested.map((one) => addFields(one, variables, calls, found)));
}

/** Finds the fields that the caller may not read according to the representation. The service behind the connector does not know the caller. */
function withAccess(one: Requested, calls: ConnectorCalls): Requested {
  const denied = new Map<string, ConnectorError>();
  for (const [key, field] of one.selection.fields) {
    const error = calls.deniedOf(field, one.representation);
    if (error !== undefined) denied.set(key, error);
  }
  if (denied.size === 0) return one;
  const permitted = one.selection.calls.filter(({ key }) => !denied.has(key));
  return { ...one, selection: { ...one.selection, calls: permitted }, denied };
}

/** Whether all fields are denied, so that no request is sent. The entity then has only the fields of the representation. */
function isDenied({ representation, selection, indices, denied }: Requested, found: Mutable): boolean {
  if (denied.size === 0 || denied.size < selection.fields.size) return false;
  for (const index of indices) found.entities[index] = selection.select(representation);
  return true;
}

/** Replaces the denied fields of entities by errors. */
function addDenials({ indices, denied }: Requested, found: Mutable): void {
  for (const index of indices) {
    const entity = found.entities[index];
    if (typeof entity !== 'object' || entity === null) continue;
    for (const [key, error] of denied) {
      Object.assign(entity, { [key]: null });
      found.errors.push({ error, path: [index, key] });
    }
  }
}

type Mutable = { readonly entities: unknown[]; readonly errors: FoundEntities['errors'][number][] };

/** Groups equal representations, unless the caller knows that none are equal. */
function distinct(representations: readonly unknown[], field: EntitiesField, areDistinct: boolean): readonly Requested[] {
  const all: Requested[] = [];
  const known = areDistinct ? undefined : new Map<unknown, Requested>();
  let form: Form | undefined;
  for (let index = 0; index < representations.length; index += 1) {
    const representation = representations[index];
    if (!isJsonObject(representation)) continue;
    const typename = ownValue(representation, TYPENAME);
    if (typeof typename !== 'string') continue;
    const one = { representation, selection: field.selectionOf(typename), indices: [index], denied: NONE_DENIED };
    if (known !== undefined) {
      form ??= formOf(representation, typename);
      const identity = identityOf(representation, typename, form);
      const same = known.get(identity);
      if (same !== undefined) {
        same.indices.push(index);
        continue;
      }
      known.set(identity, one);
    }
    all.push(one);
  }
  return all;
}

const TYPENAME = '__typename';

/** Form of the first representation: its type and, if it has one field only, the name of that field. */
interface Form {
  readonly typename: string;
  readonly field: string | undefined;
}

function formOf(representation: Values, typename: string): Form {
  const [field, ...others] = Object.keys(representation).filter((name) => name !== TYPENAME);
  return { typename, field: others.length === 0 ? field : undefined };
}

/**
 * Returns a text that only equal representations have. Most representations have one field, which is a string that identifies them among
 * those of the same form. JSON of the others starts with a brace, as no such string does.
 */
function identityOf(representation: Values, typename: string, form: Form): string {
  if (form.field !== undefined && typename === form.typename && hasTwoFields(representation)) {
    const value = ownValue(representation, form.field);
    if (typeof value === 'string' && !value.startsWith('{')) return value;
  }
  return JSON.stringify(representation);
}

function hasTwoFields(object: Values): boolean {
  let count = 0;
  // Representations come from JSON, so they inherit no enumerable property.
  for (const _name in object) count += 1;
  return count === 2;
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/** Variables of a representation. The arguments of a root field with `entity: true` are the fields of its key. */
function variablesOf(representation: Values): { readonly $this: Values; readonly $args: Values } {
  const fields = fieldsOf(representation);
  return { $this: fields, $args: fields };
}

/** Returns a representation without its type. */
function fieldsOf(representation: Values): Values {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(representation)) {
    if (name !== TYPENAME) setOwnProperty(fields, name, representation[name]);
  }
  return fields;
}

function addBatch(batch: readonly Requested[], calls: ConnectorCalls, found: Mutable): Promise<void> {
  const [first] = batch;
  if (first === undefined) return Promise.resolve();
  const $batch = batch.map(({ representation }) => fieldsOf(representation));
  const variables = calls.variablesWith({ $batch });
  if (calls.requestsNothing(variables)) return Promise.resolve();
  return calls.map(variables, first.selection.map).then((result) => {
    if ('error' in result) for (const one of batch) addError(one, result.error, found);
    else addMatched(batch, result.mapped === null ? [] : matchBatch(result.mapped, $batch, calls.keys), calls, found);
  });
}

/** @param matched result of each entity; undefined if the response is invalid */
function addMatched(
  batch: readonly Requested[],
  matched: readonly (object | undefined)[] | undefined,
  calls: ConnectorCalls,
  found: Mutable,
): void {
  // With several keys, two representations can have the same result.
  const isShared = calls.keys.length > 1;
  for (let index = 0; index < batch.length; index += 1) {
    const one = batch[index];
    if (one === undefined) continue;
    if (matched === undefined) addError(one, INVALID, found);
    else select(one, { mapped: matched[index], isShared }, calls, found);
  }
}

const INVALID: ConnectorError = {
  code: 'SUBGRAPH_INVALID_RESPONSE',
  message: 'A service behind this gateway returned an invalid response.',
};

async function addEntity(one: Requested, calls: ConnectorCalls, found: Mutable): Promise<void> {
  const result = await calls.map(calls.variablesWith(variablesOf(one.representation)), one.selection.map);
  if ('error' in result) addError(one, result.error, found);
  else select(one, { mapped: result.mapped, isShared: false }, calls, found);
}

/** Selects an entity for each of its indices. They do not share objects, because responses are merged in place. */
function select(
  one: Requested,
  { mapped, isShared }: { readonly mapped: unknown; readonly isShared: boolean },
  calls: ConnectorCalls,
  found: Mutable,
): void {
  if (mapped === null || mapped === undefined) return;
  if (typeof mapped !== 'object' || Array.isArray(mapped)) return addError(one, INVALID, found);
  const { selection, representation, indices } = one;
  const isCopied = isShared || indices.length > 1;
  const result = calls.selecting(() => indices.map(() => (isCopied ? selection.copy : selection.select)(mapped, representation)));
  if ('error' in result) return addError(one, result.error, found);
  for (const [number, index] of indices.entries()) found.entities[index] = result.value[number];
}

/** Resolves the fields of a connector that is declared on a field. */
async function addFields(one: Requested, variables: Values, calls: ConnectorCalls, found: Mutable): Promise<void> {
  const { representation, selection, indices } = one;
  const { $this } = variablesOf(representation);
  const results = await Promise.all(
    selection.calls.map(async (call) => ({ call, result: await callField(call, $this, variables, calls) })),
  );
  const isCopied = indices.length > 1;
  for (const index of indices) {
    const entity = selection.select(representation);
    found.entities[index] = entity;
    for (const { call, result } of results) {
      const selected: CallResult = 'error' in result ? result : calls.selecting(() => (isCopied ? call.copy : call.select)(result.mapped));
      entity[call.key] = 'error' in selected ? null : selected.value;
      if ('error' in selected) found.errors.push({ error: selected.error, path: [index, call.key] });
    }
  }
}

function callField(call: ConnectorCall, $this: Values, variables: Values, calls: ConnectorCalls): ReturnType<ConnectorCalls['map']> {
  return calls.map(calls.variablesWith({ $this, $args: call.argumentsOf(variables) }), call.map);
}

function addError(one: Requested, error: ConnectorError, found: Mutable): void {
  for (const index of one.indices) addErrorAt(index, one, error, found);
}

/** Adds the error of a missing entity at its requested fields, because other subgraphs may resolve other fields of the object. */
function addErrorAt(index: number, { selection: { fields }, denied }: Requested, error: ConnectorError, found: Mutable): void {
  if (fields.size === 0) found.errors.push({ error, path: [index] });
  for (const key of fields.keys()) found.errors.push({ error: denied.get(key) ?? error, path: [index, key] });
}
