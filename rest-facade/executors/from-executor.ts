import { type DocumentNode, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import type {
  PerGeneration,
  GenerationView,
  HealthReport,
  ObjectResult,
  OperationError,
  OperationRequest,
  PreparedDocument,
} from '../../gateway/index.ts';
import type { CachePolicy } from '../../gateway/platform/cache-policy.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../../gateway/platform/errors.ts';
import { type Logger, silentLogger } from '../../gateway/platform/logger.ts';
import { ANONYMOUS, type Principal } from '../../gateway/platform/principal.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { type SchemaSource, createSchemaGenerations } from './schema-generations.ts';

/** An operation of a REST document, with the values of one request. */
export interface ExecutionRequest {
  /** Text of the operation. */
  readonly query: string;
  /** The parsed operation, validated against the schema. */
  readonly document: DocumentNode;
  readonly operationName: string;
  /** Variables as JSON values of the types that the operation declares. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Principal that `authenticate` returned. */
  readonly principal: Principal;
  /** Headers of the HTTP request, with names in lower case. */
  readonly headers: RequestHeaders;
  readonly correlationId: string;
  readonly remoteAddress: string | undefined;
  /** Aborted when the client disconnects. Stop only queries, because a mutation may already be executed in part. */
  readonly signal: AbortSignal;
}

/** Result of an execution. */
export interface ExecutorResponse {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors?: readonly ExecutorResponseError[] | undefined;
  /** Cache policy for the response to a query. @defaultValue private, with revalidation at each request */
  readonly cachePolicy?: CachePolicy | undefined;
}

/** An entry of `errors`. An error without a code is logged, and its message is not exposed. */
export interface ExecutorResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Runs one operation. A `GatewayError` that it throws becomes the response. Any other exception is an internal error. */
export type ExecuteOperation = (request: ExecutionRequest) => Promise<ExecutorResponse> | ExecutorResponse;

/** A graph with another executor: graphql-js, an Apollo Server, or a client of a remote server. */
export interface ExecutorOptions {
  /** Schema for compiling the documents, or a source of schemas that change at run time. */
  readonly schema: SchemaSource;
  readonly execute: ExecuteOperation;
  /**
   * Authenticates a request.
   *
   * @defaultValue all callers are anonymous, and documents that require credentials are rejected
   * @throws GatewayError `UNAUTHENTICATED`
   */
  readonly authenticate?: ((headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>) | undefined;
  /** Authentication schemes in the header `WWW-Authenticate` of a 401. @defaultValue 'Bearer' */
  readonly challenges?: string | undefined;
  /** Additional error codes whose messages are exposed to clients, with status 400. @defaultValue none */
  readonly errorCodes?: readonly string[] | undefined;
  /**
   * Whether all error messages are exposed if `extensions.subgraph` names the subgraph, for development. Their status is that of
   * `INTERNAL_SERVER_ERROR`.
   *
   * @defaultValue `listed`: other errors have a generic message
   */
  readonly errorMessages?: 'listed' | 'all' | undefined;
  /** Returns the response of `/health`. @defaultValue none: the path does not exist */
  readonly health?: (() => HealthReport) | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Adapts an executor to the interface of the facade. It has no budgets, no permissions that are known before execution, and only its own
 * limits.
 *
 * @throws the exception of a builder that is registered after a schema is loaded
 */
export function fromExecutor(options: ExecutorOptions): RestGateway {
  const { schema, execute, authenticate, challenges, health, logger = silentLogger } = options;
  const generations = createSchemaGenerations(schema, logger);

  async function executeToObject({ document, variables = {}, ...request }: OperationRequest): Promise<ObjectResult> {
    if (!('prepared' in document)) throw new Error('The facade can run only operations of its documents.');
    const { principal, headers, correlationId, remoteAddress, signal } = request;
    const response = await execute({
      query: document.prepared.text,
      document: document.prepared.document,
      operationName: getOperationAST(document.prepared.document)?.name?.value ?? '',
      variables,
      principal,
      headers,
      correlationId,
      remoteAddress,
      signal,
    });
    const masked = response.errors?.filter((error) => readableOf(error, options) === undefined).map(({ message }) => message);
    if (masked !== undefined && masked.length > 0)
      logger.warn({ requestId: correlationId, errors: masked }, 'An operation failed with an error whose code is not exposed to clients.');
    return toResult(response, correlationId, options);
  }

  return {
    authenticate: authenticate ?? (() => Promise.resolve(ANONYMOUS)),
    hasAuthentication: authenticate !== undefined,
    executeToObject,
    onGeneration: <T>(build: (view: GenerationView) => T | Promise<T>): PerGeneration<T> =>
      generations.onGeneration((current) => build(viewOf(current))),
    ...(challenges === undefined ? {} : { challenges }),
    ...(health === undefined ? {} : { health }),
  };
}

function viewOf(schema: GraphQLSchema): GenerationView {
  return {
    schema,
    prepare(text): PreparedDocument {
      const document = parse(text);
      const [issue] = validate(schema, document);
      if (issue !== undefined) throw new GatewayError('GRAPHQL_VALIDATION_FAILED', issue.message, { cause: issue });
      return { text, document };
    },
  };
}

function toResult({ data = null, errors = [], cachePolicy }: ExecutorResponse, requestId: string, rules: ErrorRules): ObjectResult {
  const reported = errors.map((error) => toOperationError(error, requestId, rules));
  const facts = { errorCodes: reported.map(({ extensions }) => extensions.code) };
  return { data, errors: reported, facts: cachePolicy === undefined ? facts : { ...facts, cachePolicy } };
}

type ErrorRules = Pick<ExecutorOptions, 'errorCodes' | 'errorMessages'>;

function toOperationError(error: ExecutorResponseError, requestId: string, rules: ErrorRules): OperationError {
  const { path } = error;
  // A message without a known code may come from an unexpected exception, so it is not exposed.
  const { message, ...reported } = readableOf(error, rules) ?? { message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' };
  const extensions = { ...reported, requestId };
  return path === undefined ? { message, extensions } : { message, path, extensions };
}

/** Returns the part of an error that may be exposed to clients, or undefined. */
function readableOf({ message, extensions = {} }: ExecutorResponseError, { errorCodes = [], errorMessages }: ErrorRules) {
  const { code, subgraph } = extensions;
  if (typeof code !== 'string') return undefined;
  if (errorMessages === 'all' && typeof subgraph === 'string') return { message, code, subgraph };
  return isErrorCode(code) || errorCodes.includes(code) ? { message, code } : undefined;
}
