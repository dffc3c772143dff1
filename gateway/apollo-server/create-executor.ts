import { GraphQLError, type SourceLocation } from 'graphql';
import type { Gateway } from '../gateway.ts';
import { toGatewayError } from '../http/to-gateway-error.ts';
import { type OperationFault, OperationRefused } from '../operation/errors.ts';
import type { ObjectResult, OperationError, OperationRequest } from '../pipeline/operation-request.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS } from '../platform/principal.ts';
import { readCorrelationId, type RequestHeaders } from '../platform/request-headers.ts';
import type { ApolloGatewayOptions } from './apollo-gateway-options.ts';
import type { GatewayExecutor, IncomingRequest, IncomingResult } from './gateway-interface.ts';
import { serialisedData } from './serialised-data.ts';
import type { ServedSupergraphs } from './served-supergraphs.ts';

/** An entry of `errors` as an error that Apollo Server formats. */
function toGraphqlError({ message, locations, path, extensions }: OperationError): GraphQLError {
  return withLocations(new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { ...extensions } }), locations);
}

/**
 * A refusal as errors that Apollo Server formats. `extensions.http` is how it learns of status and headers; it takes it out
 * before the client sees it.
 */
function toRefusalErrors(refusal: GatewayError, requestId: string): readonly GraphQLError[] {
  const faults: readonly OperationFault[] = refusal instanceof OperationRefused ? refusal.faults : [{ message: refusal.message }];
  const http = { status: refusal.status, headers: new Map(Object.entries(refusal.headers)) };
  return faults.map(({ message, locations, cost }) => {
    const extensions = { code: refusal.code, requestId, ...(cost === undefined ? {} : { cost }), http };
    return withLocations(new GraphQLError(message, { originalError: refusal, extensions }), locations);
  });
}

/** graphql-js would work them out from the source; we were told them. */
function withLocations(error: GraphQLError, locations: readonly SourceLocation[] | undefined): GraphQLError {
  return locations === undefined || locations.length === 0 ? error : Object.assign(error, { locations });
}

export interface ExecutorOptions extends Pick<ApolloGatewayOptions, 'principal' | 'signal' | 'serialisedData'> {
  readonly served: ServedSupergraphs;
  /** Told of each request before it runs, with the headers by which its requests to subgraphs are known again. */
  readonly onRequest: (headers: RequestHeaders, incoming: IncomingRequest) => void;
  readonly logger: Logger;
}

/** Runs operations for Apollo Server by the one pipeline. Never rejects but with the reason of an aborted signal. */
export function createExecutor(options: ExecutorOptions): GatewayExecutor {
  const { served, onRequest, logger, principal = () => ANONYMOUS, signal = () => undefined } = options;
  const answer = options.serialisedData === true ? answerInText : answerInValues;

  return async (incoming) => {
    const headers: RequestHeaders = Object.fromEntries(incoming.request.http?.headers ?? []);
    const correlationId = readCorrelationId(headers);
    const clientGone = signal(incoming) ?? new AbortController().signal;
    try {
      const found = served.of(incoming.schema);
      if (found === undefined) throw new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.');
      onRequest(headers, incoming);
      const { operationName, variables, http } = incoming.request;
      return await answer(found.gateway, {
        principal: await principal(incoming),
        document: { text: incoming.source },
        ...(operationName === undefined ? {} : { operationName }),
        ...(variables === undefined ? {} : { variables }),
        door: 'graphql',
        headers,
        correlationId,
        queryOnly: http?.method === 'GET' || http?.method === 'HEAD',
        signal: clientGone,
      });
    } catch (error) {
      if (clientGone.aborted && error === clientGone.reason) throw error;
      return { errors: toRefusalErrors(toGatewayError(error, logger, correlationId), correlationId) };
    }
  };
}

async function answerInValues(gateway: Gateway, request: OperationRequest): Promise<IncomingResult> {
  const { data, errors } = await gateway.run(request, 'object');
  return errors.length === 0 ? { data } : { data, errors: errors.map(toGraphqlError) };
}

const BEFORE_DATA = '{"data":';

/** An answer without errors has its data and nothing else; one with errors is rare, and read. */
async function answerInText(gateway: Gateway, request: OperationRequest): Promise<IncomingResult> {
  const { body, facts } = await gateway.run(request, 'bytes');
  if (facts.errorCodes.length === 0 && body.startsWith(`${BEFORE_DATA}{`))
    return { data: serialisedData(body.slice(BEFORE_DATA.length, -1)) };
  const { data, errors = [] } = JSON.parse(body) as Pick<ObjectResult, 'data'> & Partial<Pick<ObjectResult, 'errors'>>;
  return errors.length === 0 ? { data } : { data, errors: errors.map(toGraphqlError) };
}
