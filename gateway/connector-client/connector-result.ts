import type { ConnectorDefinition } from '../connectors/definition/connector-definition.ts';
import { compileSelection } from '../connectors/selection/compile-selection.ts';
import type { MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import type { ErrorCode, GatewayError } from '../platform/errors.ts';
import { SubgraphFailure } from '../subgraph-client/failures.ts';
import { isSuccessful } from '../subgraph-client/http/read-http-result.ts';
import { type ErrorRules, isRecord, readErrors } from '../subgraph-client/read-response.ts';
import type { HttpResult, SubgraphError } from '../supergraph/subgraph-executor.ts';

/** An error of one request of a connector, without a path. */
export type ConnectorError = Omit<SubgraphError, 'path'>;

/** Decides whether a response means success, and creates the error for every other response. */
export interface ConnectorResult {
  /** @param variables variables of the request, with those of the response */
  isSuccess(received: HttpResult, variables: MappingVariables): boolean;
  /**
   * Creates the error for a response that is not successful. Its code must be one that subgraphs may set.
   *
   * @param failure failure with which the request ended. @defaultValue the status reports no failure of the service
   */
  errorOf(received: HttpResult, variables: MappingVariables, failure?: GatewayError): ConnectorFailure;
}

/** An error, and its message if clients must not see it. */
export interface ConnectorFailure {
  readonly error: ConnectorError;
  /** Message for the log. @defaultValue clients see the message */
  readonly masked?: string | undefined;
}

/** Errors for statuses that mean something about the request. */
const ERRORS_BY_STATUS: ReadonlyMap<number, ConnectorError> = new Map([
  [400, { code: 'BAD_USER_INPUT', message: 'A service behind this gateway rejected the values of this field.' }],
  [401, { code: 'FORBIDDEN', message: 'A service behind this gateway denied the request.' }],
  [403, { code: 'FORBIDDEN', message: 'A service behind this gateway denied the request.' }],
  [404, { code: 'NOT_FOUND', message: 'A service behind this gateway did not find what was requested.' }],
  [409, { code: 'CONFLICT', message: 'The request conflicts with the state of a service behind this gateway.' }],
  [410, { code: 'GONE', message: 'A service behind this gateway no longer has what was requested.' }],
  [412, { code: 'PRECONDITION_FAILED', message: 'A service behind this gateway requires a condition that is not met.' }],
  [422, { code: 'BAD_USER_INPUT', message: 'A service behind this gateway rejected the values of this field.' }],
] satisfies readonly (readonly [number, ConnectorError & { readonly code: ErrorCode }])[]);

const INVALID: ConnectorError = {
  code: 'SUBGRAPH_INVALID_RESPONSE',
  message: 'A service behind this gateway returned an invalid response.',
};

/**
 * Compiles `isSuccess` and `errors` of a connector. Without them, a status of 2xx means success, and every other response has an error whose
 * code depends on the status.
 */
export function compileConnectorResult({ isSuccess, errors }: ConnectorDefinition, rules: ErrorRules): ConnectorResult {
  const successOf = isSuccess === undefined ? undefined : compileSelection(isSuccess);
  const messageOf = errors?.message === undefined ? undefined : compileSelection(errors.message);
  const extensionsOf = errors?.extensions === undefined ? undefined : compileSelection(errors.extensions);
  return {
    isSuccess({ status, body }, variables) {
      return successOf === undefined ? isSuccessful(status) : successOf(body, variables) === true;
    },
    errorOf({ status, body }, variables, failure) {
      const standard = failure ?? ERRORS_BY_STATUS.get(status) ?? INVALID;
      const message = textOf(messageOf?.(body, variables));
      const extensions = extensionsOf?.(body, variables);
      const code = isRecord(extensions) ? extensions['code'] : undefined;
      const reported = { message: message ?? standard.message, extensions: { code: code ?? standard.code } };
      const read = readErrors([reported], 1, rules);
      const error = read?.errors[0];
      return error === undefined ? { error: INVALID } : { error: named(error, rules), masked: read?.masked[0] };
    },
  };
}

/** Adds the name of the subgraph, for development. Otherwise the message is unchanged. */
function named(error: ConnectorError, { errorMessages, subgraph = '' }: ErrorRules): ConnectorError {
  if (errorMessages !== 'all' || error.subgraph !== undefined) return error;
  return error.message.startsWith('Subgraph ') ? error : { ...error, message: `Subgraph ${JSON.stringify(subgraph)}: ${error.message}` };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns the response of a back end with which a request failed. In development, another error may enclose the failure. */
export function resultOfFailure(error: GatewayError): HttpResult | undefined {
  const failure = error instanceof SubgraphFailure ? error : error.cause;
  return failure instanceof SubgraphFailure ? failure.facts.received : undefined;
}
