import type { EntityAccess } from '../authorization/entity-access.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import type { CompiledMapping, MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import { ConnectorRequestInvalid } from '../connectors/template/connector-request-invalid.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { HttpResult, SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { BuildRequest, ConnectorRequest } from './connector-request.ts';
import { listedHeaders } from './connector-variables.ts';
import { resultOfFailure, type ConnectorError, type ConnectorResult } from './connector-result.ts';
import type { IdentifyByKey } from './match-batch.ts';
import type { RequestLimit } from './request-limit.ts';
import { createResponseFreshness } from './response-freshness.ts';
import type { SelectOutput } from './select-output.ts';

/** A connector whose requests and results have been compiled. */
export interface CompiledConnector {
  readonly virtual: VirtualSubgraph;
  /** Whether a mapping reads `$status` or `$response`. */
  readonly usesResponse: boolean;
  /** Whether mapped values need no escape if the response needs none. */
  readonly addsNoEscapes: boolean;
  /** Keys by which the results of a batch are matched. */
  readonly keys: readonly IdentifyByKey[];
  /** Whether a request selects no object of its batch. Absent if one request resolves one entity. */
  readonly requestsNothing?: ((variables: MappingVariables) => boolean) | undefined;
  readonly build: BuildRequest;
  readonly result: ConnectorResult;
  readonly send: SubgraphExecutor;
  readonly limit: RequestLimit;
  readonly logger: Logger;
  /** Access of callers to entities. @defaultValue no field is denied */
  readonly access?: EntityAccess | undefined;
}

/** Result of one request: the selected value, or the error that replaces it. */
export type CallResult<Value = unknown> = { readonly value: Value } | { readonly error: ConnectorError };

/** Result of one request before selection. */
type MappedResult = { readonly mapped: unknown } | { readonly error: ConnectorError };

const INVALID: ConnectorError = {
  code: 'SUBGRAPH_INVALID_RESPONSE',
  message: 'A service behind this gateway returned an invalid response.',
};

const INVALID_VALUES: ConnectorError = {
  code: 'BAD_USER_INPUT',
  message: 'The values of this field cannot be sent to the service behind this gateway.',
};

/** Requests of a connector for one operation, and what is known about all their responses. */
export class ConnectorCalls {
  readonly #connector: CompiledConnector;
  readonly #request: SubgraphRequest;
  readonly #signal: AbortSignal;
  readonly #variables: MappingVariables;
  readonly #freshness: ReturnType<typeof createResponseFreshness> | undefined;
  #results = 0;
  #needsNoEscape: boolean;
  #lastResult: HttpResult | undefined;

  constructor(connector: CompiledConnector, request: SubgraphRequest, signal: AbortSignal, variables: MappingVariables) {
    this.#connector = connector;
    this.#request = request;
    this.#signal = signal;
    this.#variables = variables;
    this.#needsNoEscape = connector.addsNoEscapes;
    this.#freshness = request.wantsFreshness === true ? createResponseFreshness() : undefined;
  }

  get virtual(): VirtualSubgraph {
    return this.#connector.virtual;
  }

  /** Whether one request resolves several entities: the connector uses `$batch`. */
  get usesBatch(): boolean {
    return this.#connector.requestsNothing !== undefined;
  }

  /**
   * Returns the variables of the operation, with those of one request: `$args`, `$this` or `$batch`. All variables are members, also those
   * without a value, because merging two objects takes microseconds.
   */
  variablesWith({ $args, $this, $batch }: MappingVariables): MappingVariables {
    const { $config, $env, $request, $context } = this.#variables;
    return { $config, $env, $request, $context, $args, $this, $batch, $status: undefined, $response: undefined };
  }

  /** Returns whether a request with a batch would select none of its representations. */
  requestsNothing(variables: MappingVariables): boolean {
    return this.#connector.requestsNothing?.(variables) === true;
  }

  /** Whether callers may be denied fields of entities. */
  get hasAccess(): boolean {
    return this.#connector.access !== undefined;
  }

  /** Returns the error of a field that the caller may not read of the entity with this representation. */
  deniedOf(
    field: { readonly type: string; readonly name: string },
    representation: Readonly<Record<string, unknown>>,
  ): ConnectorError | undefined {
    return this.#connector.access?.(this.#request.context.principal, field, representation);
  }

  get keys(): readonly IdentifyByKey[] {
    return this.#connector.keys;
  }

  /**
   * Sends one request, and selects from its mapped response.
   *
   * @param own variables of the request: `$args` or `$this`
   * @throws the reason of the signal
   */
  async call(own: MappingVariables, map: CompiledMapping, select: SelectOutput): Promise<CallResult> {
    const result = await this.map(this.variablesWith(own), map);
    return 'error' in result ? result : this.selecting(() => select(result.mapped));
  }

  /** Sends one request, and maps its response. @throws the reason of the signal */
  map(variables: MappingVariables, map: CompiledMapping): Promise<MappedResult> {
    const built = this.#build(variables);
    if ('error' in built) return Promise.resolve(this.#failed(built.error));
    if (!this.#connector.limit.take(this.#request.context)) return Promise.resolve(this.#failed(this.#limitError()));
    return this.#send(built).then(
      ({ http }) => (http === undefined ? this.#failed(INVALID) : this.#read(http, undefined, variables, map)),
      (error: unknown) => this.#receiveFailure(error, variables, map),
    );
  }

  #receiveFailure(error: unknown, variables: MappingVariables, map: CompiledMapping): MappedResult {
    if (this.#signal.aborted) throw this.#signal.reason;
    if (!(error instanceof GatewayError)) throw error;
    const received = resultOfFailure(error);
    return received === undefined
      ? this.#failed({ code: error.code, message: error.message })
      : this.#read(received, error, variables, map);
  }

  /** Selects from mapped values. Values that are nested too deeply are invalid. */
  selecting<Value>(select: () => Value): CallResult<Value> {
    try {
      return { value: select() };
    } catch (error) {
      if (error instanceof RangeError) return { error: INVALID };
      throw error;
    }
  }

  /** Returns what is known about the responses of all requests. The head is that of the only response, for hooks. */
  facts(): Partial<SubgraphResponse> {
    const received = this.#results === 1 ? this.#lastResult : undefined;
    return {
      needsNoEscape: this.#needsNoEscape,
      ...(received === undefined ? {} : { head: { status: received.status, headers: received.headers } }),
      ...this.#freshness?.result(),
    };
  }

  #build(variables: MappingVariables): ConnectorRequest | { readonly error: ConnectorError } {
    try {
      return this.#connector.build(variables, this.#request.context.headers);
    } catch (error) {
      if (!(error instanceof ConnectorRequestInvalid)) throw error;
      this.#log({ reason: error.message }, 'A connector cannot send the values of an operation.');
      return { error: INVALID_VALUES };
    }
  }

  #send({ http, body }: ConnectorRequest): Promise<SubgraphResponse> {
    const { kind, context, usage, fetch, headers } = this.#request;
    const { subgraph } = this.#connector.virtual.connector;
    const request: SubgraphRequest = {
      subgraph,
      kind,
      body,
      context,
      usage,
      http,
      ...(fetch === undefined ? {} : { fetch }),
      ...(headers === undefined ? {} : { headers }),
    };
    return this.#connector.send(request, this.#signal);
  }

  #read(received: HttpResult, failure: GatewayError | undefined, own: MappingVariables, map: CompiledMapping): MappedResult {
    const { result, usesResponse } = this.#connector;
    this.#results += 1;
    this.#lastResult = received;
    this.#needsNoEscape &&= received.needsNoEscape === true;
    const variables = usesResponse ? { ...own, $status: received.status, $response: { headers: listedHeaders(received.headers) } } : own;
    try {
      const isSuccess = result.isSuccess(received, variables);
      this.#freshness?.add(received, isSuccess);
      if (isSuccess) return { mapped: map(received.body, variables) ?? null };
      const { error, masked } = result.errorOf(received, variables, failure);
      if (masked !== undefined) this.#log({ errors: [masked] }, 'A connector returned an error whose code is not listed.');
      return { error };
    } catch (error) {
      if (error instanceof RangeError) return this.#failed(INVALID);
      throw error;
    }
  }

  #failed(error: ConnectorError): { readonly error: ConnectorError } {
    this.#freshness?.addFailure();
    return { error };
  }

  #limitError(): ConnectorError {
    const { max } = this.#connector.limit;
    return {
      code: 'CONNECTOR_REQUEST_LIMIT_EXCEEDED',
      message: `The operation needs more than ${max} requests to one service behind this gateway. Request fewer objects.`,
    };
  }

  #log(facts: Readonly<Record<string, unknown>>, message: string): void {
    const { virtual, logger } = this.#connector;
    logger.warn({ connector: virtual.name, requestId: this.#request.context.correlationId, ...facts }, message);
  }
}
