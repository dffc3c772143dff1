import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { textOf, valueAt } from '../openapi/api-value.ts';
import { type ApiOperation, readOperations } from '../openapi/read-operations.ts';
import { createShapeReader } from '../openapi/schema-shape.ts';
import { draftBatch } from './draft-batch.ts';
import { type DraftedRequest, draftRequest, type RequestOptions } from './draft-arguments.ts';
import { draftResponse, type DraftedResponse } from './draft-response.ts';
import { draftSource, type SourceOptions } from './draft-source.ts';
import { createTypeDrafts } from './draft-types.ts';
import type { DraftedConnector, DraftedField, DraftedObject, DraftedSubgraph } from './drafted-subgraph.ts';
import { keyFieldsOf, markKey } from './entity-key.ts';
import { camelCase, createUsedNames } from './graphql-names.ts';
import { createOmissionLog, type Omission, oneLine } from './omission-log.ts';
import { mutationNames, nameResource, queryNames } from './resource-names.ts';

/** A draft, and what it lacks. */
export interface SubgraphDraft {
  readonly subgraph: DraftedSubgraph;
  readonly omissions: readonly Omission[];
}

/** A type whose objects a path identifies. */
interface Resource {
  readonly object: DraftedObject;
  /** Field of each path parameter. */
  readonly fields: ReadonlyMap<string, DraftedField>;
}

/** An operation whose response is drafted. */
interface ReadOperation {
  readonly operation: ApiOperation;
  readonly response: DraftedResponse;
}

/**
 * Drafts a subgraph with connectors for the operations of an OpenAPI document.
 *
 * @throws CommandFailed if the URL of the service is unknown
 */
export function draftSubgraph(document: OpenApiDocument, options: SourceOptions): SubgraphDraft {
  const log = createOmissionLog();
  const source = draftSource(document, options, log);
  const read = createShapeReader(document);
  const types = createTypeDrafts(read, log);
  const operations = readOperations(document, read, log);
  const queries = new Map<ApiOperation, DraftedField>();
  const mutations: DraftedField[] = [];
  const usedQueries = createUsedNames();
  const usedMutations = createUsedNames();
  const resources = new Map<string, Resource>();

  const omit = (operation: ApiOperation, reason: string): void => log.add(`${operation.method} ${operation.path}`, reason);

  /** Drafts the responses of operations. Those that cannot be fields are omitted. */
  function withResponses(selected: readonly ApiOperation[]): readonly ReadOperation[] {
    return selected.flatMap((operation) => {
      const response = draftResponse(operation, types, read, log);
      if (!('reason' in response)) return [{ operation, response }];
      omit(operation, response.reason);
      return [];
    });
  }

  function request(operation: ApiOperation, hint: string, more: Omit<RequestOptions, 'hint'> = {}): DraftedRequest | undefined {
    const drafted = draftRequest(operation, types, log, { hint, ...more });
    if (!('reason' in drafted)) return drafted;
    omit(operation, drafted.reason);
    return undefined;
  }

  function addQuery(query: ReadOperation, keys?: ReadonlyMap<string, DraftedField>, isEntity = false): void {
    const { operation, response } = query;
    const names = queryNames(operation, response.type.levels.length > 1);
    const drafted = request(operation, names[0], { isEntity, ...(keys === undefined ? {} : { keys }) });
    if (drafted === undefined) return;
    queries.set(operation, fieldOf(usedQueries.take(...names), query, drafted, connectorOf(query, drafted, isEntity)));
  }

  /** Drafts the queries of single resources. One that is found by its key resolves the entity. */
  function addItem(item: ReadOperation): void {
    const { operation, response } = item;
    const { object } = response;
    const fields = object === undefined || response.type.levels.length > 1 ? undefined : keyFieldsOf(object, operation);
    if (object === undefined || fields === undefined) return addQuery(item);
    resources.set(pathKey(operation), { object, fields });
    const [only, ...more] = fields.values();
    const requiresMore = operation.queryParameters.some(({ isRequired }) => isRequired) || operation.headerParameters.length > 0;
    if (only === undefined || more.length > 0 || requiresMore || (object.key !== undefined && object.key !== only)) return addQuery(item);
    // An object that is also read in batches has its key already.
    const isEntity = object.key === undefined;
    if (isEntity) markKey(object, only);
    addQuery(item, fields, isEntity);
  }

  function addNested(nested: ReadOperation): void {
    const { operation, response } = nested;
    const last = operation.segments.findLastIndex(({ parameters }) => parameters.length > 0);
    const parent = resources.get(keyOfSegments(operation.segments.slice(0, last + 1).map(({ text }) => text)));
    const without = parent === undefined ? undefined : omittedFor(parent.object, response.object);
    if (parent === undefined || without === undefined) return addQuery(nested);
    const name = camelCase(
      operation.segments
        .slice(last + 1)
        .map(({ text }) => text)
        .join(' '),
      'related',
    );
    const values = new Map(operation.pathParameters.map(({ name: parameter }, index) => [parameter, [...parent.fields.values()][index]]));
    const known = new Map([...values].flatMap(([parameter, field]) => (field === undefined ? [] : [[parameter, field] as const])));
    const drafted = request(operation, `${parent.object.name} ${name}`, { parent: known });
    if (drafted === undefined) return;
    const used = createUsedNames(parent.object.fields.map((field) => field.name));
    const connector = { ...connectorOf(nested, drafted, false), ...(without.size > 0 ? { without } : {}) };
    const isList = response.type.levels.length > 1;
    const fieldName = used.take(name, camelCase(`${name} ${isList ? 'list' : 'resource'}`, name));
    parent.object.fields.push(fieldOf(fieldName, nested, drafted, connector));
  }

  function addMutation(mutation: ReadOperation): void {
    const { operation, response } = mutation;
    const replaces = operations.some(({ method, path }) => method === 'PATCH' && path === operation.path);
    const names = mutationNames(operation, replaces);
    const fields = resources.get(pathKey(operation))?.fields;
    const drafted = request(operation, response.object?.name ?? names[0], fields === undefined ? {} : { keys: renameable(fields) });
    if (drafted === undefined) return;
    mutations.push(fieldOf(usedMutations.take(...names), mutation, drafted, connectorOf(mutation, drafted, false)));
  }

  const reads = operations.filter(({ method }) => method === 'GET');
  const isItem = (operation: ApiOperation) => nameResource(operation).isItem;
  const isNested = (operation: ApiOperation) => !isItem(operation) && operation.pathParameters.length > 0;
  // Single resources are first, because their types have most fields and get the plain names.
  const items = withResponses(reads.filter(isItem));
  const collections = withResponses(reads.filter((operation) => !isItem(operation) && !isNested(operation)));
  const nested = withResponses(reads.filter(isNested));
  for (const { operation, response } of collections) {
    if (response.object !== undefined) draftBatch(operation, response, log);
  }
  for (const item of items) addItem(item);
  for (const collection of collections) {
    addQuery(collection);
    addCollectionResource(collection, operations, resources);
  }
  for (const each of nested) addNested(each);
  for (const write of withResponses(operations.filter(({ method }) => method !== 'GET'))) addMutation(write);
  const inOrder = operations.flatMap((operation) => queries.get(operation) ?? []);
  return { subgraph: { source, queries: inOrder, mutations, preface: prefaceOf(document) }, omissions: log.list() };
}

/** A collection determines the type of the objects below it, even if the document has no operation for one of them. */
function addCollectionResource(
  { operation, response }: ReadOperation,
  all: readonly ApiOperation[],
  resources: Map<string, Resource>,
): void {
  const { object } = response;
  if (object === undefined || response.type.levels.length !== 2 || operation.pathParameters.length > 0) return;
  const depth = operation.segments.length;
  for (const { segments, pathParameters } of all) {
    const isBelow =
      segments.length > depth + 1 && segments.slice(0, depth).every(({ text }, index) => text === operation.segments[index]?.text);
    const [parameter, ...more] = segments[depth]?.parameters ?? [];
    if (!isBelow || parameter === undefined || more.length > 0) continue;
    const below = { segments: segments.slice(0, depth + 1), pathParameters: pathParameters.filter(({ name }) => name === parameter) };
    const key = keyOfSegments(below.segments.map(({ text }) => text));
    const fields = resources.has(key) ? undefined : keyFieldsOf(object, below);
    if (fields !== undefined) resources.set(key, { object, fields });
  }
}

function pathKey({ segments }: ApiOperation): string {
  return keyOfSegments(segments.map(({ text }) => text));
}

/** Returns the key fields that are identifiers: their arguments get the names of the fields. */
function renameable(fields: ReadonlyMap<string, DraftedField>): ReadonlyMap<string, DraftedField> {
  return new Map([...fields].filter(([, { type }]) => type.name === 'ID').map(([name, field]) => [name, withRequiredType(field)]));
}

function withRequiredType(field: DraftedField): DraftedField {
  return { ...field, type: { ...field.type, levels: ['required'] } };
}

/** Returns a key that is equal for paths that differ only in the names of their parameters. */
function keyOfSegments(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/\{[^{}]+\}/g, '{}')).join('/');
}

/**
 * Returns the fields of a child that a selection below the parent must omit, because they contain the parent's type. The entity of the child
 * resolves them. Returns undefined if the child cannot be below the parent.
 */
function omittedFor(parent: DraftedObject, child: DraftedObject | undefined): ReadonlySet<DraftedField> | undefined {
  if (child === undefined) return new Set();
  if (child === parent) return undefined;
  const containing = child.fields.filter(({ type, connector }) => connector === undefined && contains(type.object, parent, new Set()));
  if (containing.length === 0) return new Set();
  return child.key !== undefined && containing.length < child.fields.length ? new Set(containing) : undefined;
}

function contains(object: DraftedObject | undefined, sought: DraftedObject, visited: Set<DraftedObject>): boolean {
  if (object === undefined || visited.has(object)) return false;
  visited.add(object);
  return (
    object === sought || object.fields.some(({ type, connector }) => connector === undefined && contains(type.object, sought, visited))
  );
}

function connectorOf(
  { operation: { method }, response: { path, object, selection } }: ReadOperation,
  { url, queryParams, headers, body }: DraftedRequest,
  isEntity: boolean,
): DraftedConnector {
  return {
    method,
    url,
    headers,
    path,
    isEntity,
    ...(queryParams === undefined ? {} : { queryParams }),
    ...(body === undefined ? {} : { body }),
    ...(object === undefined ? {} : { object }),
    ...(selection === undefined ? {} : { selection }),
  };
}

function fieldOf(
  name: string,
  { operation: { description, isDeprecated }, response: { type } }: ReadOperation,
  drafted: DraftedRequest,
  connector: DraftedConnector,
): DraftedField {
  return {
    name,
    jsonName: name,
    type,
    isDeprecated,
    arguments: drafted.arguments,
    connector,
    ...(description === undefined ? {} : { description }),
  };
}

function prefaceOf(document: OpenApiDocument): readonly string[] {
  const info = valueAt(document.root, 'info');
  const title = textOf(valueAt(info, 'title')) ?? 'an OpenAPI document';
  const version = textOf(valueAt(info, 'version'));
  return [`Drafted by \`gatefold connect init\` from ${oneLine(title)}${version === undefined ? '' : ` ${oneLine(version)}`}.`];
}
