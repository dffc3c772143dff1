import { type ConstDirectiveNode, Kind, type StringValueNode } from 'graphql';
import { nearestKey } from '../../platform/nearest-key.ts';
import type { ConnectorMethod } from './connector-definition.ts';
import type { ConnectorElement, LocatedConnector, LocatedSource } from './located-connector.ts';
import { readMapping, type ReadContext } from './read-mapping.ts';
import { issueOfName, readErrorMappings, readRequest } from './read-source.ts';
import { readConnectorUrl } from './read-urls.ts';
import { type NamedValue, type NamedValues, readBoolean, readInputFields, readNamed, readString } from './read-values.ts';

const ARGUMENTS = ['source', 'id', 'http', 'batch', 'errors', 'isSuccess', 'selection', 'entity'];
const METHODS: readonly ConnectorMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HTTP = [...METHODS, 'body', 'headers', 'path', 'queryParams'];

/** Version, names and sources that all connectors of a subgraph share. */
export interface ConnectorContext extends ReadContext {
  /** Names of the directives in the subgraph, without their `@`. */
  readonly names: { readonly connect: string; readonly source: string };
  readonly sources: ReadonlyMap<string, LocatedSource>;
}

/** A `@connect` to read. */
export interface ConnectorInput {
  readonly element: ConnectorElement;
  readonly node: ConstDirectiveNode;
  readonly values: readonly NamedValue[];
  readonly index: number;
}

/** Reads a `@connect`. Reports what is invalid, and leaves it out. */
export function readConnector({ element, node, values, index }: ConnectorInput, context: ConnectorContext): LocatedConnector {
  const { names, report } = context;
  const directive = `@${names.connect}`;
  const on = ` on \`${element.coordinate}\``;
  const found = readNamed(values, ARGUMENTS, `\`${directive}\`${on}`, report);
  const sourceName = readString(found.get('source'), `\`${directive}(source:)\`${on}`, report);
  const source = sourceName === undefined ? undefined : findSource(sourceName, on, context);
  const http = readInputFields(found.get('http'), HTTP, `\`${directive}(http:)\`${on}`, report);
  const method = readMethod(http, node, on, context);
  const target = method === undefined ? undefined : readString(http?.get(method), `\`${directive}(http: { ${method}: })\`${on}`, report);
  const url =
    target === undefined || method === undefined
      ? undefined
      : readConnectorUrl(target, `\`${directive}(http: { ${method}: })\`${on}`, sourceName !== undefined, context);
  const mapping = (argument: string, value: Parameters<typeof readMapping>[0], code: Parameters<typeof readMapping>[2]) =>
    readMapping(value, `\`${directive}(${argument})\`${on}`, code, context);
  const body = mapping('http: { body: }', http?.get('body'), 'INVALID_BODY');
  const selection = mapping('selection:', found.get('selection'), 'INVALID_SELECTION');
  if (!found.has('selection')) report('INVALID_SELECTION', `\`${directive}\`${on} has no argument "selection".`, node);
  const isSuccess = mapping('isSuccess:', found.get('isSuccess'), 'INVALID_IS_SUCCESS');
  const id = readId(found, on, context);
  const entity = readEntity(found, `\`${directive}(entity:)\`${on}`, context);
  const batchMaxSize = readBatch(found, `\`${directive}(batch:)\`${on}`, context);
  return {
    element,
    node,
    index,
    ...(id === undefined ? {} : { id }),
    ...(sourceName === undefined ? {} : { sourceName }),
    ...(source === undefined ? {} : { source }),
    ...(method === undefined ? {} : { method }),
    ...(url === undefined ? {} : { url }),
    request: readRequest(http, directive, on, context),
    ...(body === undefined ? {} : { body }),
    ...(selection === undefined ? {} : { selection }),
    ...(isSuccess === undefined ? {} : { isSuccess }),
    errors: readErrorMappings(found.get('errors'), directive, on, context),
    ...(entity === undefined ? {} : { entity }),
    ...(batchMaxSize === undefined ? {} : { batchMaxSize }),
  };
}

function findSource(name: StringValueNode, on: string, { names, sources, report }: ConnectorContext): LocatedSource | undefined {
  const source = sources.get(name.value);
  if (source !== undefined) return source;
  const where = `\`@${names.connect}(source: "${name.value}")\`${on}`;
  if (sources.size === 0) {
    report('NO_SOURCES_DEFINED', `${where} names a source, but the subgraph has none. Add @${names.source}(name: "${name.value}").`, name);
    return undefined;
  }
  const near = nearestKey(name.value, sources.keys()) ?? (sources.size === 1 ? [...sources.keys()][0] : undefined);
  const hint = near === undefined ? `The subgraph has the sources ${[...sources.keys()].join(', ')}.` : `Did you mean "${near}"?`;
  report('SOURCE_NAME_MISMATCH', `${where} does not match a source. ${hint}`, name);
  return undefined;
}

function readMethod(
  http: NamedValues | undefined,
  node: ConstDirectiveNode,
  on: string,
  { names, report }: ConnectorContext,
): ConnectorMethod | undefined {
  const where = `\`@${names.connect}(http:)\`${on}`;
  const used = METHODS.filter((method) => http?.has(method) === true);
  if (used.length === 0) {
    report('MISSING_HTTP_METHOD', `${where} has no HTTP method. Set one of ${METHODS.join(', ')} to the URL.`, node);
  } else if (used.length > 1) {
    const values = used.flatMap((method) => http?.get(method) ?? []);
    report('MULTIPLE_HTTP_METHODS', `${where} has the HTTP methods ${used.join(' and ')}. Set only one.`, ...values);
  }
  return used[0];
}

function readId(found: NamedValues, on: string, { names, report }: ConnectorContext): StringValueNode | undefined {
  const where = `\`@${names.connect}(id:)\`${on}`;
  const id = readString(found.get('id'), where, report);
  const issue = id === undefined ? undefined : issueOfName(id.value);
  if (id === undefined || issue === undefined) return id;
  report('INVALID_CONNECTOR_ID', `${where}: "${id.value}" ${issue}.`, id);
  return undefined;
}

function readEntity(found: NamedValues, where: string, { report }: ConnectorContext): LocatedConnector['entity'] {
  const value = found.get('entity');
  const isEntity = readBoolean(value, where, report);
  return value === undefined || isEntity === undefined ? undefined : { isEntity, node: value };
}

function readBatch(found: NamedValues, where: string, { report }: ConnectorContext): number | undefined {
  const batch = readInputFields(found.get('batch'), ['maxSize'], where, report);
  const maxSize = batch?.get('maxSize');
  if (maxSize === undefined) return undefined;
  const size = maxSize.kind === Kind.INT ? Number(maxSize.value) : 0;
  if (Number.isSafeInteger(size) && size >= 1) return size;
  report('INVALID_BATCH', `${where}: maxSize must be an integer of at least 1.`, maxSize);
  return undefined;
}
