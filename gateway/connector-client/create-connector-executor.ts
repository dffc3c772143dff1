import type { EntityAccess } from '../authorization/entity-access.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import type { Logger } from '../platform/logger.ts';
import type { ErrorRules } from '../subgraph-client/read-response.ts';
import type { SubgraphError, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { addsNoEscapes } from './adds-no-escapes.ts';
import { type CallResult, ConnectorCalls } from './connector-calls.ts';
import { type ConnectorCall, type ConnectorOperation, createConnectorCompiler, type EntitiesField } from './connector-operation.ts';
import { compileRequest, type RequestSource } from './connector-request.ts';
import { createConnectorVariables, type FixedVariables } from './connector-variables.ts';
import { entitiesOf, type FoundEntities } from './entity-calls.ts';
import { compileConnectorResult } from './connector-result.ts';
import { compileKeys } from './match-batch.ts';
import type { RequestLimit } from './request-limit.ts';
import { compileRequestsNothing } from './requests-nothing.ts';
import { createSharedExpressions } from './shared-expressions.ts';
import { type ValueTypes, withInterfaceObjects } from './value-types.ts';
import { variableReadsOf } from './variable-reads.ts';

/** Dependencies of the executor of one connector. */
export interface ConnectorExecutorOptions {
  /** Sends one HTTP request under the policies of the subgraph that declares the connector. */
  readonly send: SubgraphExecutor;
  readonly source: RequestSource;
  readonly types: ValueTypes;
  /** Values of `$config` and `$env`. */
  readonly fixed: FixedVariables;
  /** Limits the requests of one operation to the source. */
  readonly limit: RequestLimit;
  /** Rules for the errors that clients can see. */
  readonly errorRules: ErrorRules;
  readonly logger: Logger;
  /** Access of callers to entities, which is decided before a request is sent. @defaultValue no field is denied */
  readonly access?: EntityAccess | undefined;
}

/**
 * Creates the executor of a virtual subgraph. It takes a GraphQL request of a plan, sends the HTTP requests of the connector and maps their
 * responses. A request that fails makes only its field or its entity fail.
 *
 * @throws the reason of the signal when it aborted the request
 */
export function createConnectorExecutor(virtual: VirtualSubgraph, options: ConnectorExecutorOptions): SubgraphExecutor {
  const { connector } = virtual;
  const compile = createConnectorCompiler(virtual, withInterfaceObjects(options.types, virtual.interfaceObjects));
  const variablesOf = createConnectorVariables(connector, options.fixed);
  const used = new Set(variableReadsOf(connector).map(({ variable }) => variable));
  const expressions = createSharedExpressions();
  const compiled = {
    virtual,
    usesResponse: used.has('$status') || used.has('$response'),
    addsNoEscapes: addsNoEscapes(connector.selection),
    keys: compileKeys(virtual.keys),
    requestsNothing: compileRequestsNothing(connector, expressions.first),
    build: compileRequest(connector, options.source, expressions.second),
    result: compileConnectorResult(connector, options.errorRules),
    send: options.send,
    limit: options.limit,
    logger: options.logger,
    access: options.access,
  };

  const readBody = createBodyReader();

  return (request, signal) => {
    try {
      const body = readBody(request);
      const operation = compile(body.query, body.variables);
      const variables = operation.defaults === undefined ? body.variables : { ...operation.defaults, ...body.variables };
      const calls = new ConnectorCalls(compiled, request, signal, variablesOf(request.context));
      const execution = { operation, variables, request, calls, areDistinct: body.areDistinct };
      const [field] = operation.entities;
      const isOneField = field !== undefined && operation.entities.length === 1 && operation.roots.length === 0;
      return isOneField ? executeEntities(field, execution) : execute(execution);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

/** Text and variables of an operation. */
interface OperationBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the representations are known to be of different entities. */
  readonly areDistinct: boolean;
}

/**
 * Creates a function that reads operations. The requests of one fetch of a plan differ only in the variables, so only these are parsed, and
 * nothing is parsed if the request has its representations as objects.
 */
function createBodyReader(): (request: SubgraphRequest) => OperationBody {
  const known = new WeakMap<object, { readonly prefix: string; readonly query: string }>();
  return ({ body, fetch, entities }) => {
    const start = fetch === undefined ? undefined : known.get(fetch);
    const representations = start === undefined ? undefined : entities?.representations();
    if (start !== undefined && entities !== undefined && representations !== undefined) {
      const variables: Record<string, unknown> = {};
      variables[entities.variableName] = representations;
      return { query: start.query, variables, areDistinct: true };
    }
    if (start !== undefined && body.startsWith(start.prefix)) {
      return {
        query: start.query,
        variables: JSON.parse(body.slice(start.prefix.length, -1)) as OperationBody['variables'],
        areDistinct: false,
      };
    }
    const { query, variables = {}, ...others } = JSON.parse(body) as Partial<OperationBody> & Pick<OperationBody, 'query'>;
    const prefix = `{"query":${JSON.stringify(query)},"variables":`;
    if (fetch !== undefined && body.startsWith(prefix) && Object.keys(others).length === 0) known.set(fetch, { prefix, query });
    return { query, variables, areDistinct: false };
  };
}

/** One execution of an operation. */
interface Execution {
  readonly operation: ConnectorOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly request: SubgraphRequest;
  readonly calls: ConnectorCalls;
  /** Whether no two representations are of the same entity. */
  readonly areDistinct: boolean;
}

/** Executes an operation with one field `_entities`, as plans have. Its result needs no promise apart from that of the request. */
function executeEntities(field: EntitiesField, { operation, variables, calls, areDistinct }: Execution): Promise<SubgraphResponse> {
  const data: Record<string, unknown> = {};
  for (const [key, type] of operation.typenames) data[key] = type;
  return entitiesOf(field, variables, calls, areDistinct).then((found) => {
    const errors: SubgraphError[] = [];
    addFound(field, found, data, errors);
    return responseOf(data, errors, calls);
  });
}

async function execute(execution: Execution): Promise<SubgraphResponse> {
  const { operation, request, calls } = execution;
  const data: Record<string, unknown> = {};
  const errors: SubgraphError[] = [];
  for (const [key, type] of operation.typenames) data[key] = type;
  // The keys have the order of the operation, and not that of the responses.
  for (const { key } of [...operation.roots, ...operation.entities]) data[key] = null;
  if (request.kind === 'mutation') {
    for (const root of operation.roots) addRoot(root, await callRoot(root, execution), data, errors);
  } else {
    await Promise.all([
      ...operation.roots.map(async (root) => addRoot(root, await callRoot(root, execution), data, errors)),
      ...operation.entities.map(async (field) => addEntities(field, execution, data, errors)),
    ]);
  }
  return responseOf(data, errors, calls);
}

function responseOf(data: Record<string, unknown>, errors: readonly SubgraphError[], calls: ConnectorCalls): SubgraphResponse {
  return { data, ...(errors.length > 0 ? { errors } : {}), ...calls.facts() };
}

function callRoot({ argumentsOf, map, select }: ConnectorCall, { variables, calls }: Execution): Promise<CallResult> {
  return calls.call({ $args: argumentsOf(variables) }, map, select);
}

function addRoot({ key }: ConnectorCall, result: CallResult, data: Record<string, unknown>, errors: SubgraphError[]): void {
  if ('error' in result) errors.push({ ...result.error, path: [key] });
  else data[key] = result.value;
}

async function addEntities(
  field: EntitiesField,
  { variables, calls, areDistinct }: Execution,
  data: Record<string, unknown>,
  errors: SubgraphError[],
): Promise<void> {
  addFound(field, await entitiesOf(field, variables, calls, areDistinct), data, errors);
}

function addFound({ key }: EntitiesField, found: FoundEntities, data: Record<string, unknown>, errors: SubgraphError[]): void {
  data[key] = found.entities;
  for (const { error, path } of found.errors) errors.push({ ...error, path: [key, ...path] });
}
