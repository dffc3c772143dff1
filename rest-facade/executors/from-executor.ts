import { type DocumentNode, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import type {
  GenerationBound,
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

/** One operation of a REST document, with the values of one request. */
export interface ExecutionRequest {
  /** The operation as text. */
  readonly query: string;
  /** The same, parsed and valid against the schema. */
  readonly document: DocumentNode;
  readonly operationName: string;
  /** As JSON has them: of the types that the operation names. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Who asks: what `authenticate` said. */
  readonly principal: Principal;
  /** Of the HTTP request, in lower case. */
  readonly headers: RequestHeaders;
  readonly correlationId: string;
  readonly remoteAddress: string | undefined;
  /** The client has left. Half of a mutation may be done by then: stop queries only. */
  readonly signal: AbortSignal;
}

/** What GraphQL answers, whoever runs it. */
export interface ExecutionAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors?: readonly ExecutionAnswerError[] | undefined;
  /** How long HTTP may keep the answer to a query, and who. @defaultValue the caller may, and asks each time whether it still holds */
  readonly cachePolicy?: CachePolicy | undefined;
}

/** An entry of `errors`. Without a code it is a defect: logged, and told to nobody. */
export interface ExecutionAnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Runs one operation. What it throws is a defect of its own, but for a `GatewayError`, which is the answer. */
export type ExecuteOperation = (request: ExecutionRequest) => Promise<ExecutionAnswer> | ExecutionAnswer;

/** A graph that is run by somebody else: graphql-js, an Apollo Server, a client of a remote one. */
export interface ExecutorOptions {
  /** What the documents are compiled against; or how to hear of it, where it changes while it is served. */
  readonly schema: SchemaSource;
  readonly execute: ExecuteOperation;
  /**
   * Credentials to principal.
   *
   * @defaultValue all callers are anonymous, and documents that ask for credentials are refused
   * @throws GatewayError `UNAUTHENTICATED`
   */
  readonly authenticate?: ((headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>) | undefined;
  /** How callers may prove who they are: `WWW-Authenticate` of a 401. @defaultValue 'Bearer' */
  readonly challenges?: string | undefined;
  /** Codes besides those of the catalogue whose messages clients may read, with status 400. @defaultValue none */
  readonly errorCodes?: readonly string[] | undefined;
  /**
   * Whether other errors pass as well where `extensions.subgraph` names their subgraph, for development. Their status is that of
   * `INTERNAL_SERVER_ERROR`.
   *
   * @defaultValue `listed`: they get a constant text
   */
  readonly errorMessages?: 'listed' | 'all' | undefined;
  /** Response of `/health` below the paths of the facade. @defaultValue none: the path does not exist */
  readonly health?: (() => HealthReport) | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * An executor as the facade needs it. It has no budgets, no rights known beforehand, no limits but its own.
 *
 * @throws whatever a builder throws that is registered for a schema that is there already
 */
export function fromExecutor(options: ExecutorOptions): RestGateway {
  const { schema, execute, authenticate, challenges, health, logger = silentLogger } = options;
  const generations = createSchemaGenerations(schema, logger);

  async function executeToObject({ document, variables = {}, ...request }: OperationRequest): Promise<ObjectResult> {
    if (!('prepared' in document)) throw new Error('The facade runs operations of its documents only.');
    const { principal, headers, correlationId, remoteAddress, signal } = request;
    const answer = await execute({
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
    const masked = answer.errors?.filter((error) => readableOf(error, options) === undefined).map(({ message }) => message);
    if (masked !== undefined && masked.length > 0)
      logger.warn({ requestId: correlationId, errors: masked }, 'An operation failed without a code that clients know.');
    return toResult(answer, correlationId, options);
  }

  return {
    authenticate: authenticate ?? (() => Promise.resolve(ANONYMOUS)),
    knowsCallers: authenticate !== undefined,
    executeToObject,
    onGeneration: <T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T> =>
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
      const [fault] = validate(schema, document);
      if (fault !== undefined) throw new GatewayError('GRAPHQL_VALIDATION_FAILED', fault.message, { cause: fault });
      return { text, document };
    },
  };
}

function toResult({ data = null, errors = [], cachePolicy }: ExecutionAnswer, requestId: string, rules: ErrorRules): ObjectResult {
  const told = errors.map((error) => toOperationError(error, requestId, rules));
  const facts = { errorCodes: told.map(({ extensions }) => extensions.code) };
  return { data, errors: told, facts: cachePolicy === undefined ? facts : { ...facts, cachePolicy } };
}

type ErrorRules = Pick<ExecutorOptions, 'errorCodes' | 'errorMessages'>;

function toOperationError(error: ExecutionAnswerError, requestId: string, rules: ErrorRules): OperationError {
  const { path } = error;
  // A message without a known code may be that of an accident.
  const { message, ...told } = readableOf(error, rules) ?? { message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' };
  const extensions = { ...told, requestId };
  return path === undefined ? { message, extensions } : { message, path, extensions };
}

/** The part of an error that clients may read; undefined when there is none. */
function readableOf({ message, extensions = {} }: ExecutionAnswerError, { errorCodes = [], errorMessages }: ErrorRules) {
  const { code, subgraph } = extensions;
  if (typeof code !== 'string') return undefined;
  if (errorMessages === 'all' && typeof subgraph === 'string') return { message, code, subgraph };
  return isErrorCode(code) || errorCodes.includes(code) ? { message, code } : undefined;
}
