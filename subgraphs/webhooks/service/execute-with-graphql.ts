import {
  type DocumentNode,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import { formatError, isWrittenForClients } from '../../kit/server/format-error.ts';
import type { ExecuteOperation, SubgraphResponse } from '../../kit/server/subgraph-response.ts';

/** @unit tokens */
const MAX_TOKENS = 15_000;
/** Maximum number of errors that validation reports. @unit errors */
const MAX_ERRORS = 10;
/** The gateway sends few different documents, with values in variables. @unit documents */
const MAX_CACHED_DOCUMENTS = 500;

const JSON_TYPE = 'application/json; charset=utf-8';

interface OperationBody {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

type ValidDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Executes operations of the gateway on a schema. */
export function executeWithGraphql(schema: GraphQLSchema, log: Logger): ExecuteOperation {
  const documents = new LRUCache<string, ValidDocument>({ max: MAX_CACHED_DOCUMENTS });

  return async (body, _headers, createContext) => {
    const { query, operationName, variables } = readOperation(body);
    const valid = documents.get(query) ?? validateText(schema, query);
    documents.set(query, valid);
    if ('errors' in valid) return respond(400, { errors: valid.errors.map((error) => formatError(error.toJSON(), error)) });
    const context = createContext();
    const { data, errors } = await execute({
      schema,
      document: valid.document,
      contextValue: context,
      variableValues: variables,
      operationName,
    });
    for (const error of errors ?? []) {
      if (isWrittenForClients(error)) continue;
      const { subgraph, correlationId } = context;
      log.error({ err: toLoggableError(error), subgraph, correlationId }, 'A resolver failed with an unexpected error.');
    }
    const formatted = errors?.map((error) => formatError(error.toJSON(), error));
    return respond(200, { ...(formatted === undefined ? {} : { errors: formatted }), ...(data === undefined ? {} : { data }) });
  };
}

/**
 * Creates the response to callers without an identity. They can read the SDL, which `gatefold compose` and `gatefold dev` request, because
 * every user of Gatefold has it.
 */
export function serveSdl(sdl: string): (body: unknown) => SubgraphResponse | undefined {
  const response = { data: { _service: { sdl } } };
  return (body) => (isSdlQuery(body) ? respond(200, response) : undefined);
}

function isSdlQuery(body: unknown): boolean {
  try {
    const { definitions } = parse(readOperation(body).query, { maxTokens: MAX_TOKENS, noLocation: true });
    const [operation] = definitions;
    if (definitions.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION) return false;
    if (operation.operation !== OperationTypeNode.QUERY) return false;
    const [field, ...others] = operation.selectionSet.selections;
    return others.length === 0 && field?.kind === Kind.FIELD && isPlain(field, '_service') && selectsOnlySdl(field);
  } catch {
    return false;
  }
}

function selectsOnlySdl({ selectionSet }: FieldNode): boolean {
  const [field, ...others] = selectionSet?.selections ?? [];
  return others.length === 0 && field?.kind === Kind.FIELD && isPlain(field, 'sdl');
}

function isPlain({ name, alias, directives = [] }: FieldNode, expected: string): boolean {
  return name.value === expected && alias === undefined && directives.length === 0;
}

/** @throws GatewayError `BAD_REQUEST` */
function readOperation(body: unknown): OperationBody {
  const { query, operationName, variables } = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  if (typeof query !== 'string') throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object with the string `query`.');
  if (operationName != null && typeof operationName !== 'string')
    throw new GatewayError('BAD_REQUEST', '`operationName` must be a string.');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw new GatewayError('BAD_REQUEST', '`variables` must be an object.');
  return {
    query,
    operationName: operationName ?? undefined,
    variables: (variables ?? undefined) as OperationBody['variables'],
  };
}

function validateText(schema: GraphQLSchema, text: string): ValidDocument {
  try {
    const document = parse(text, { maxTokens: MAX_TOKENS });
    const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS });
    return errors.length === 0 ? { document } : { errors: errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] = code;
  return error;
}

function respond(status: number, result: object): SubgraphResponse {
  return { status, headers: [['content-type', JSON_TYPE]], body: JSON.stringify(result) };
}
