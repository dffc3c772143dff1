import { randomUUID } from 'node:crypto';
import type { OperationInput, OperationOutput } from '../gateway.ts';
import { toGatewayError } from '../http/plain-response.ts';
import type { BytesResult } from '../pipeline/operation-result.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import { toRequestErrors } from '../pipeline/response.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS } from '../platform/principal.ts';
import { CORRELATION_ID_HEADER, readCorrelationId, type RequestHeaders } from '../platform/request-headers.ts';

export interface RunDependencies {
  /** Waits for the first supergraph. @throws Error when it is local and cannot be served, or when the gateway is closed */
  readonly load: () => Promise<void>;
  readonly execute: (request: OperationRequest) => Promise<BytesResult>;
  readonly logger: Logger;
}

/** Creates the method `run` of the gateway. */
export function createRun({ load, execute, logger }: RunDependencies): (input: OperationInput) => Promise<OperationOutput<never>> {
  return async (input) => {
    const request = toRequest(input);
    await load();
    request.signal.throwIfAborted();
    try {
      const { body } = await execute(request);
      return JSON.parse(body) as OperationOutput<never>;
    } catch (error) {
      if (request.signal.aborted && error === request.signal.reason) throw error;
      const { correlationId } = request;
      return { errors: toRequestErrors(toGatewayError(error, logger, correlationId), correlationId) };
    }
  };
}

/** @throws TypeError when the input is not that of an operation */
function toRequest({ query, signal, headers = {}, principal = ANONYMOUS, ...input }: OperationInput): OperationRequest {
  if (typeof query !== 'string' || query.trim() === '') throw new TypeError('gateway.run: "query" must be the text of a GraphQL document.');
  // Applications pass both as a client has sent them in JSON, where null is the same as an absent value.
  const operationName = input.operationName ?? undefined;
  const variables = input.variables ?? undefined;
  if (operationName !== undefined && typeof operationName !== 'string')
    throw new TypeError('gateway.run: "operationName" must be the name of an operation of the document.');
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables)))
    throw new TypeError('gateway.run: "variables" must be an object of values by name.');
  if (!(principal.roles instanceof Set) || !(principal.scopes instanceof Set))
    throw new TypeError('gateway.run: "principal" must have the sets "roles" and "scopes". Without a principal, the caller is anonymous.');
  const received = lowerCased(headers);
  const sent = received[CORRELATION_ID_HEADER];
  const correlationId = sent === undefined ? randomUUID() : readCorrelationId(received);
  return {
    principal,
    document: { text: query },
    operationName,
    variables,
    transport: 'graphql',
    headers: { ...received, [CORRELATION_ID_HEADER]: correlationId },
    correlationId,
    signal: signal ?? new AbortController().signal,
  };
}

/** Returns headers as Node.js parses them. Names that differ only in case are one header, whose values are joined. */
function lowerCased(headers: NonNullable<OperationInput['headers']>): RequestHeaders {
  const entries: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  const result: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const text = typeof value === 'string' ? value : value.join(', ');
    result[key] = result[key] === undefined ? text : `${result[key]}, ${text}`;
  }
  return result;
}
