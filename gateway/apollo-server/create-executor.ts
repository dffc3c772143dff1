import { GraphQLError, type SourceLocation } from 'graphql';
import type { Gateway } from '../gateway.ts';
import { toGatewayError } from '../http/plain-response.ts';
import { type RequestError, OperationRejected } from '../operation/operation-rejected.ts';
import type { ObjectResult, OperationError } from '../pipeline/operation-result.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS } from '../platform/principal.ts';
import { readCorrelationId, type RequestHeaders } from '../platform/request-headers.ts';
import type { ApolloGatewayOptions } from './apollo-gateway-options.ts';
import type { GatewayExecutor, IncomingRequest, IncomingResult } from './gateway-interface.ts';
import { serializedData } from './serialized-data.ts';
import type { ServedSupergraphs } from './served-supergraphs.ts';

/** Converts an entry of `errors` into an error that Apollo Server formats. */
function toGraphqlError({ message, locations, path, extensions }: OperationError): GraphQLError {
  return withLocations(new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { ...extensions } }), locations);
}

/**
 * Converts an error of a rejected request for Apollo Server. `extensions.http` sets status and headers of the response; Apollo Server
 * removes it before the client receives the error.
 */
function toRequestErrors(error: GatewayError, requestId: string): readonly GraphQLError[] {
  const errors: readonly RequestError[] = error instanceof OperationRejected ? error.errors : [{ message: error.message }];
  const http = { status: error.status, headers: new Map(Object.entries(error.headers)) };
  return errors.map(({ message, locations, cost }) => {
    const extensions = { code: error.code, requestId, ...(cost === undefined ? {} : { cost }), http };
    return withLocations(new GraphQLError(message, { originalError: error, extensions }), locations);
  });
}

/** Sets the locations, which graphql-js would otherwise compute from the source. */
function withLocations(error: GraphQLError, locations: readonly SourceLocation[] | undefined): GraphQLError {
  return locations === undefined || locations.length === 0 ? error : Object.assign(error, { locations });
}

export interface GatewayExecutorOptions extends Pick<ApolloGatewayOptions, 'principal' | 'signal' | 'serializedData'> {
  readonly served: ServedSupergraphs;
  /** Called with each request before it is executed. Its headers object identifies the requests to subgraphs that belong to it. */
  readonly onRequest: (headers: RequestHeaders, incoming: IncomingRequest) => void;
  readonly logger: Logger;
}

/** Creates the executor of Apollo Server, which uses the pipeline of the gateway. It rejects only with the reason of an aborted signal. */
export function createExecutor(options: GatewayExecutorOptions): GatewayExecutor {
  const { served, onRequest, logger, principal = () => ANONYMOUS, signal = () => undefined } = options;
  const respond = options.serializedData === true ? respondInText : respondInValues;

  return async (incoming) => {
    const headers: RequestHeaders = Object.fromEntries(incoming.request.http?.headers ?? []);
    const correlationId = readCorrelationId(headers);
    const disconnectSignal = signal(incoming) ?? new AbortController().signal;
    try {
      const found = served.of(incoming.schema);
      if (found === undefined) throw new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.');
      onRequest(headers, incoming);
      const { operationName, variables, http } = incoming.request;
      return await respond(found.gateway, {
        principal: await principal(incoming),
        document: { text: incoming.source },
        ...(operationName === undefined ? {} : { operationName }),
        ...(variables === undefined ? {} : { variables }),
        transport: 'graphql',
        headers,
        correlationId,
        queryOnly: http?.method === 'GET' || http?.method === 'HEAD',
        signal: disconnectSignal,
      });
    } catch (error) {
      if (disconnectSignal.aborted && error === disconnectSignal.reason) throw error;
      return { errors: toRequestErrors(toGatewayError(error, logger, correlationId), correlationId) };
    }
  };
}

async function respondInValues(gateway: Gateway, request: OperationRequest): Promise<IncomingResult> {
  const { data, errors } = await gateway.executeToObject(request);
  return errors.length === 0 ? { data } : { data, errors: errors.map(toGraphqlError) };
}

const BEFORE_DATA = '{"data":';

/** Executes to text. A response without errors contains only `data`; one with errors is rare and is parsed. */
async function respondInText(gateway: Gateway, request: OperationRequest): Promise<IncomingResult> {
  const { body, facts } = await gateway.execute(request);
  if (facts.errorCodes.length === 0 && body.startsWith(`${BEFORE_DATA}{`))
    return { data: serializedData(body.slice(BEFORE_DATA.length, -1)) };
  const { data, errors = [] } = JSON.parse(body) as Pick<ObjectResult, 'data'> & Partial<Pick<ObjectResult, 'errors'>>;
  return errors.length === 0 ? { data } : { data, errors: errors.map(toGraphqlError) };
}
