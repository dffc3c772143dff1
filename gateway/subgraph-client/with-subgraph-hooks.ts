import { checkHeaders, requireObject } from '../hooks/apply-changes.ts';
import type { CompiledHooks } from '../hooks/compile-hooks.ts';
import type { HeaderChanges, SubgraphRequestHookContext } from '../hooks/hooks.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import { isPromise } from '../platform/maybe-promise.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';

export interface SubgraphHooksOptions {
  readonly hooks: Pick<CompiledHooks, 'onSubgraphRequest' | 'onSubgraphResponse'>;
  /** Connectors by the name of their virtual subgraph. Hooks see the subgraph that declares a connector. @defaultValue none */
  readonly connectors?: ReadonlyMap<string, VirtualSubgraph> | undefined;
  /** Sends requests past the entity cache, which does not know the changes of a hook. */
  readonly direct: SubgraphExecutor;
}

/**
 * Runs the hooks of requests to subgraphs. They run for the fetches of one operation, outside of retries, deduplication and the entity
 * cache: a request with changed headers equals only requests with the same headers, and each operation changes a separate response. A change
 * forbids the caches of responses to store the response of the operation.
 */
export function withSubgraphHooks(next: SubgraphExecutor, { hooks, connectors, direct }: SubgraphHooksOptions): SubgraphExecutor {
  const { onSubgraphRequest, onSubgraphResponse } = hooks;

  /** @returns the changes of the headers; undefined when no hook changed any */
  async function changedHeaders(context: SubgraphRequestHookContext): Promise<HeaderChanges | undefined> {
    let headers: HeaderChanges | undefined;
    const running = onSubgraphRequest?.(context, (changes) => {
      if (changes.headers !== undefined) headers = { ...headers, ...checkHeaders(changes.headers) };
    });
    if (isPromise(running)) await running;
    return headers;
  }

  async function receive(response: SubgraphResponse, context: SubgraphRequestHookContext): Promise<SubgraphResponse> {
    if (onSubgraphResponse === undefined) return response;
    const { subgraph, connector, kind, request } = context;
    let changed: SubgraphResponse | undefined;
    const running = onSubgraphResponse(
      {
        subgraph,
        ...(connector === undefined ? {} : { connector }),
        kind,
        request,
        status: response.head?.status,
        headers: response.head?.headers ?? NOTHING,
        extensions: response.extensions ?? NOTHING,
        errors: response.errors ?? [],
        data: () => structuredClone<Record<string, unknown> | null | undefined>((changed ?? response).data),
      },
      ({ data, errors }) => {
        if (data === undefined && errors === undefined) return;
        const { needsNoEscape: _unknown, ...rest } = changed ?? response;
        changed = {
          ...rest,
          ...(data === undefined ? {} : { data: data === null ? null : structuredClone(requireObject(data, 'data')) }),
          ...(errors === undefined ? {} : { errors: [...errors] }),
          cacheControl: 'no-store',
        };
      },
    );
    if (isPromise(running)) await running;
    return changed ?? response;
  }

  async function send(request: SubgraphRequest & { readonly kind: 'query' | 'mutation' }, signal: AbortSignal): Promise<SubgraphResponse> {
    const { kind, body } = request;
    const connector = connectors?.get(request.subgraph)?.connector;
    const named =
      connector === undefined ? { subgraph: request.subgraph } : { subgraph: connector.subgraph, connector: coordinateOf(connector) };
    const context = { ...named, kind, body, request: request.context.hooked };
    const headers = await changedHeaders(context);
    if (headers === undefined) return receive(await next(request, signal), context);
    signal.throwIfAborted();
    const response = await direct({ ...request, headers }, signal);
    return receive({ ...response, cacheControl: 'no-store' }, context);
  }

  return (request, signal) => (isSent(request) ? send(request, signal) : next(request, signal));
}

/** Returns the coordinate of a connector. */
function coordinateOf({ type, field }: VirtualSubgraph['connector']): string {
  return field === undefined ? type : `${type}.${field}`;
}

/** Whether a request is sent. The response to a subscription is an event that has already arrived. */
function isSent(request: SubgraphRequest): request is SubgraphRequest & { readonly kind: 'query' | 'mutation' } {
  return request.kind !== 'subscription';
}

const NOTHING: Readonly<Record<string, never>> = Object.freeze({});
