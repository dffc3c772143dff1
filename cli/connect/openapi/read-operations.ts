import type { OmissionLog } from '../draft/omission-log.ts';
import { isApiObject, type ApiObject, listOf, objectOf, textOf, valueAt } from './api-value.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { parsePath, type PathSegment } from './path-segment.ts';
import type { ReadShape, SchemaShape } from './schema-shape.ts';

/** Methods that a connector can use. */
export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation of a document that a connector can call. */
export interface ApiOperation {
  readonly method: OperationMethod;
  /** Path as written. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly operationId?: string;
  /** First of `summary` and `description`. */
  readonly description?: string;
  readonly isDeprecated: boolean;
  readonly pathParameters: readonly ApiParameter[];
  readonly queryParameters: readonly ApiParameter[];
  readonly headerParameters: readonly ApiParameter[];
  readonly body?: ApiBody;
  /** SchemaShape of the successful response. Absent if it has no content. */
  readonly response?: SchemaShape;
}

/** A parameter of an operation. */
export interface ApiParameter {
  readonly name: string;
  readonly shape: SchemaShape;
  readonly isRequired: boolean;
  /** Whether each value of a list is a separate query parameter. */
  readonly isRepeated: boolean;
  readonly description?: string;
}

/** The body of a request. */
export interface ApiBody {
  readonly shape: SchemaShape;
  readonly isRequired: boolean;
  readonly encoding: 'json' | 'form';
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const OTHER_METHODS = ['head', 'options', 'trace'] as const;
/** Headers that the gateway, the source or the type of the body determine. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization', 'accept-encoding', 'host', 'cookie']);
const FORM = 'application/x-www-form-urlencoded';

/** Reads the operations of a document that connectors can call. What they cannot call is added to the log. */
export function readOperations(document: OpenApiDocument, read: ReadShape, log: OmissionLog): readonly ApiOperation[] {
  for (const key of ['webhooks', 'x-webhooks']) {
    for (const name of Object.keys(objectOf(valueAt(document.root, key))))
      log.add(`the webhook ${name}`, 'connectors do not receive requests');
  }
  return Object.entries(objectOf(valueAt(document.root, 'paths'))).flatMap(([path, item]) => {
    if (path.startsWith('x-')) return [];
    const resolved = document.resolve(item)?.value;
    if (resolved === undefined) {
      log.add(path, 'its description is missing');
      return [];
    }
    for (const method of OTHER_METHODS) {
      if (valueAt(resolved, method) !== undefined) log.add(`${method.toUpperCase()} ${path}`, 'connectors do not use this method');
    }
    return METHODS.flatMap((method) => {
      const operation = valueAt(resolved, method);
      return isApiObject(operation) ? readOperation({ document, read, log, path, item: resolved, method, operation }) : [];
    });
  });
}

interface OperationSource {
  readonly document: OpenApiDocument;
  readonly read: ReadShape;
  readonly log: OmissionLog;
  readonly path: string;
  readonly item: ApiObject;
  readonly method: (typeof METHODS)[number];
  readonly operation: ApiObject;
}

function readOperation(source: OperationSource): readonly ApiOperation[] {
  const { document, log, path, item, operation } = source;
  const method = source.method.toUpperCase() as OperationMethod;
  const location = `${method} ${path}`;
  const segments = parsePath(path);
  if (typeof segments === 'string') {
    log.add(location, segments);
    return [];
  }
  for (const each of [item, operation]) {
    if (listOf(valueAt(each, 'servers')).length > 0) log.add(`the servers of ${location}`, 'all connectors use the server of the document');
  }
  if (valueAt(operation, 'callbacks') !== undefined) log.add(`the callbacks of ${location}`, 'connectors do not receive requests');
  const parameters = readParameters(source, location, segments);
  const body = readBody(source);
  const response = readResponse(document, source.read, operation);
  const reason = parameters.reason ?? body.reason ?? responseIssue(method, response);
  if (reason !== undefined) {
    log.add(location, reason);
    return [];
  }
  if (body.remark !== undefined) log.add(`the body of ${location}`, body.remark);
  const operationId = textOf(valueAt(operation, 'operationId'));
  const description = textOf(valueAt(operation, 'summary')) ?? textOf(valueAt(operation, 'description'));
  return [
    {
      method,
      path,
      segments,
      isDeprecated: valueAt(operation, 'deprecated') === true,
      pathParameters: parameters.path,
      queryParameters: parameters.query,
      headerParameters: parameters.header,
      ...(operationId === undefined ? {} : { operationId }),
      ...(description === undefined ? {} : { description }),
      ...(body.body === undefined ? {} : { body: body.body }),
      ...(response.shape === undefined ? {} : { response: response.shape }),
    },
  ];
}

interface OperationParameters {
  readonly path: readonly ApiParameter[];
  readonly query: readonly ApiParameter[];
  readonly header: readonly ApiParameter[];
  /** Why the operation cannot be called. */
  readonly reason?: string;
}

function readParameters(source: OperationSource, location: string, segments: readonly PathSegment[]): OperationParameters {
  const found = new Map<string, { readonly position: string; readonly parameter: ApiParameter; readonly style: string }>();
  for (const written of [...listOf(valueAt(source.item, 'parameters')), ...listOf(valueAt(source.operation, 'parameters'))]) {
    const parameter = source.document.resolve(written)?.value;
    const name = textOf(valueAt(parameter, 'name'));
    const position = textOf(valueAt(parameter, 'in'));
    if (parameter === undefined || name === undefined || position === undefined)
      source.log.add(`a parameter of ${location}`, 'it has no name');
    else
      found.set(`${position} ${name}`, {
        position,
        parameter: readParameter(source.read, name, position, parameter),
        style: styleOf(parameter),
      });
  }
  const query: ApiParameter[] = [];
  const header: ApiParameter[] = [];
  for (const { position, parameter, style } of found.values()) {
    const issue = parameterIssue(position, parameter, style);
    if (position === 'path' || issue === IGNORED) continue;
    if (issue === undefined) (position === 'query' ? query : header).push(parameter);
    else if (parameter.isRequired) return { path: [], query, header, reason: `its required parameter ${parameter.name} ${issue}` };
    else source.log.add(`the parameter ${parameter.name} of ${location}`, `it ${issue}`);
  }
  const names = [...new Set(segments.flatMap((segment) => segment.parameters))];
  const path = names.map((name) => found.get(`path ${name}`)?.parameter ?? undescribed(source.read, name));
  const complex = path.find(({ shape }) => shape.kind !== 'scalar' && shape.kind !== 'enum' && shape.kind !== 'untyped');
  return { path, query, header, ...(complex === undefined ? {} : { reason: `its path parameter ${complex.name} is not a scalar` }) };
}

/** The document describes no parameter of this name, although the path contains it. */
function undescribed(read: ReadShape, name: string): ApiParameter {
  return { name, shape: read({ type: 'string' }), isRequired: true, isRepeated: false };
}

const IGNORED = 'ignored';

/** Returns why a parameter cannot be an argument, `ignored` if the gateway sets it, or undefined. */
function parameterIssue(position: string, { name, shape, isRequired }: ApiParameter, style: string): string | undefined {
  if (position === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return IGNORED;
  if (position === 'header' && !isRequired) return 'is an optional header; add it to `headers` if you need it';
  if (position === 'header' && !/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)) return 'is not a valid header';
  if (position !== 'query' && position !== 'header')
    return position === 'path' ? undefined : `is in the ${position}, which connectors do not write`;
  if (hasUnwritableCharacters(name)) return 'has a name with control characters, quotes or backslashes';
  if (style === 'deepObject' || shape.kind === 'object' || shape.kind === 'untyped') return 'is an object';
  if (shape.kind === 'omitted') return `cannot be an argument, because ${shape.reason}`;
  if (shape.kind !== 'list') return undefined;
  if (position === 'header') return 'is a list';
  return shape.items.kind === 'scalar' || shape.items.kind === 'enum' ? undefined : 'is a list of objects';
}

/** Whether a JSON name cannot be written to a mapping. */
export function hasUnwritableCharacters(name: string): boolean {
  return name === '' || /[\p{Cc}\p{Cs}\\\u2028\u2029]/u.test(name) || (name.includes('"') && name.includes("'"));
}

function readParameter(read: ReadShape, name: string, position: string, parameter: ApiObject): ApiParameter {
  const content = Object.values(objectOf(valueAt(parameter, 'content')))[0];
  const shape = read(valueAt(parameter, 'schema') ?? (content === undefined ? { type: 'string' } : valueAt(content, 'schema')));
  const description = textOf(valueAt(parameter, 'description'));
  return {
    name,
    shape,
    isRequired: position === 'path' || valueAt(parameter, 'required') === true,
    isRepeated: (valueAt(parameter, 'explode') ?? styleOf(parameter) === 'form') === true,
    ...(description === undefined ? {} : { description }),
  };
}

function styleOf(parameter: ApiObject): string {
  return textOf(valueAt(parameter, 'style')) ?? 'form';
}

interface OperationBody {
  readonly body?: ApiBody;
  /** Why the operation cannot be called. */
  readonly reason?: string;
  /** Why the operation is called without a body. */
  readonly remark?: string;
}

function readBody({ document, read, operation, method }: OperationSource): OperationBody {
  const requestBody = document.resolve(valueAt(operation, 'requestBody'))?.value;
  if (requestBody === undefined) return {};
  const isRequired = valueAt(requestBody, 'required') === true;
  if (method === 'get' || method === 'delete')
    return isRequired ? { reason: 'it requires a body' } : { remark: 'connectors send none here' };
  const content = objectOf(valueAt(requestBody, 'content'));
  const json = Object.keys(content).find(isJsonType);
  const type = json ?? Object.keys(content).find((each) => mediaTypeOf(each) === FORM);
  if (type === undefined) {
    const types = Object.keys(content).join(', ') || 'of an unknown type';
    return isRequired ? { reason: `its body is not JSON (${types})` } : { remark: `it is not JSON (${types})` };
  }
  const shape = read(valueAt(content[type], 'schema'));
  return { body: { shape, isRequired, encoding: json === undefined ? 'form' : 'json' } };
}

interface OperationResponse {
  readonly shape?: SchemaShape;
  /** Media types of a response that is not JSON. */
  readonly otherTypes?: string;
}

function readResponse(document: OpenApiDocument, read: ReadShape, operation: ApiObject): OperationResponse {
  const responses = objectOf(valueAt(operation, 'responses'));
  const statuses = Object.keys(responses).toSorted();
  const successful = statuses.filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const candidates = successful.length > 0 ? successful : statuses.filter((status) => status === 'default');
  let otherTypes: string | undefined;
  for (const status of candidates) {
    const content = objectOf(valueAt(document.resolve(responses[status])?.value, 'content'));
    const json = Object.keys(content).find(isJsonType);
    if (json !== undefined) return { shape: read(valueAt(content[json], 'schema')) };
    if (Object.keys(content).length > 0) otherTypes ??= Object.keys(content).join(', ');
  }
  return otherTypes === undefined ? {} : { otherTypes };
}

function responseIssue(method: OperationMethod, { shape, otherTypes }: OperationResponse): string | undefined {
  if (method === 'GET' && otherTypes !== undefined) return `its response is not JSON (${otherTypes})`;
  if (method === 'GET' && shape === undefined) return 'its response has no content';
  return shape?.kind === 'omitted' ? `its response cannot be a field, because ${shape.reason}` : undefined;
}

function isJsonType(type: string): boolean {
  const media = mediaTypeOf(type);
  return media === '*/*' || /^application\/(?:[\w.+-]+\+)?json$/.test(media);
}

function mediaTypeOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
