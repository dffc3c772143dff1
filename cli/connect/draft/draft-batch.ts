import type { ApiOperation, ApiParameter } from '../openapi/read-operations.ts';
import type { DraftedField, DraftedObject } from './drafted-subgraph.ts';
import type { DraftedResponse } from './draft-response.ts';
import { markKey } from './entity-key.ts';
import { wordsOf } from './graphql-names.ts';
import { singular } from './english-nouns.ts';
import type { OmissionLog } from './omission-log.ts';
import { quoted } from './print-selection.ts';
import { nameResource } from './resource-names.ts';

/** Names of parameters that limit the size of a page. */
const LIMIT = /^(?:limit|first|size|count|take|page[-_]?size|per[-_]?page|page\[size\]|max[-_]?results|\$top)$/i;

/** Adds a connector to the type of a collection that returns the objects of a list of identifiers: `GET /users?ids=1,2`. */
export function draftBatch(operation: ApiOperation, { object, path, type }: DraftedResponse, log: OmissionLog): void {
  if (object === undefined || type.levels.length !== 2 || object.connector !== undefined) return;
  const found = findBatchParameter(operation, object);
  if (found === undefined) return;
  const { parameter, key } = found;
  const limit = operation.queryParameters.find(
    ({ name, shape }) => LIMIT.test(name) && shape.kind === 'scalar' && shape.type === 'integer',
  );
  const others = operation.queryParameters.filter((other) => other !== parameter && other !== limit && other.isRequired);
  if (others.length > 0 || operation.pathParameters.length > 0 || operation.headerParameters.length > 0) {
    log.add(`the batches of ${object.name}`, `GET ${operation.path} requires other parameters than ${parameter.name}`);
    return;
  }
  markKey(object, key);
  const lines = [
    `${quoted(parameter.name)}: $batch.${key.name}${parameter.isRepeated ? '' : '->joinNotNull(",")'}`,
    ...(limit === undefined ? [] : [`${quoted(limit.name)}: $batch.${key.name}->size`]),
  ];
  const sizes = [parameter.shape.kind === 'list' ? parameter.shape.maxItems : undefined, limit?.shape.maximum];
  const maxSize = Math.min(
    ...(sizes.filter((size) => size !== undefined && Number.isInteger(size) && size > 0 && size < 1_000_000) as number[]),
  );
  object.connector = {
    method: 'GET',
    url: `/${operation.segments.map(({ text }) => text).join('/')}${operation.path.length > 1 && operation.path.endsWith('/') ? '/' : ''}`,
    queryParams: lines.join('\n'),
    headers: [],
    path,
    object,
    isEntity: false,
    ...(Number.isFinite(maxSize) ? { batchMaxSize: maxSize } : {}),
  };
}

interface BatchParameter {
  readonly parameter: ApiParameter;
  readonly key: DraftedField;
}

/** Finds a parameter such as `ids`, `id[]`, `userIds` or `skus`, and the field with its values. */
function findBatchParameter(operation: ApiOperation, object: DraftedObject): BatchParameter | undefined {
  const one = singular(nameResource(operation).noun).toLowerCase();
  for (const parameter of operation.queryParameters) {
    if (parameter.shape.kind !== 'list' || parameter.shape.items.kind !== 'scalar') continue;
    const written = wordsOf(parameter.name).join('').toLowerCase();
    const name = singular(written.replace(/(?:in|list)$/, '')).replace(/^filter/, '');
    const bare = name.startsWith(one) && name.length > one.length ? name.slice(one.length) : name;
    const key = object.fields.find((field) => isKey(field) && wordsOf(field.jsonName).join('').toLowerCase() === bare);
    const identifies = /^(?:id|uuid|guid)$/.test(bare) || written !== name;
    if (key !== undefined && identifies && isUnique(key)) return { parameter, key };
  }
  return undefined;
}

function isKey({ type, connector }: DraftedField): boolean {
  return connector === undefined && type.levels.length === 1 && ['ID', 'String', 'Int', 'BigInt', 'UUID'].includes(type.name);
}

/** Whether the name of a field promises one object for each value. A list of statuses or tags only filters. */
function isUnique({ jsonName }: DraftedField): boolean {
  return /^_?(?:id|uuid|guid|key|slug|sku|code|isbn|upc|ean|gtin|iban|vin|email|username|login|handle)$/i.test(jsonName);
}
