import type { DeadlineWatcher } from '../../platform/deadline-watcher.ts';
import type { HttpMethod, SubgraphExecutor, SubgraphRequest } from '../../supergraph/subgraph-executor.ts';
import { type IdentitySigner, identityKeyOf } from '../sign-identity.ts';
import { withDedupe } from '../with-dedupe.ts';
import type { CompiledHttpHeaders } from './compile-http-headers.ts';

/** Methods of which several equal requests have the effect of one (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<HttpMethod | undefined> = new Set<HttpMethod>(['GET', 'PUT', 'DELETE']);

/** Rule for HTTP requests: a request with an idempotent method can be sent again, any other only if it was not received. */
export function repeatsIdempotent({ http }: SubgraphRequest): 'always' | 'unsent' {
  return IDEMPOTENT.has(http?.method) ? 'always' : 'unsent';
}

export interface HttpDedupeOptions {
  readonly headers: CompiledHttpHeaders;
  /** Signer of the identity header. Undefined if none is sent; callers then share responses. */
  readonly signer: IdentitySigner | undefined;
  readonly pending: DeadlineWatcher;
  /** Maximum total size of the responses of one operation. @unit bytes */
  readonly maxBytesPerOperation: number;
}

/** Sends equal GET requests that are in progress at the same time only once. */
export function withHttpDedupe(next: SubgraphExecutor, { headers, signer, ...options }: HttpDedupeOptions): SubgraphExecutor {
  const deduped = withDedupe(next, {
    ...options,
    keyOf: ({ http, body, context, headers: changes }) =>
      JSON.stringify([
        signer === undefined ? '' : identityKeyOf(context.principal),
        headers.adopted(context),
        http?.target,
        http?.headers,
        body,
        context.writes?.flight ?? '',
        changes ?? null,
      ]),
  });
  return (request, signal) => (request.http?.method === 'GET' ? deduped(request, signal) : next(request, signal));
}
