import { RemoteGraphQLDataSource } from '@apollo/gateway';
import { GraphQLError } from 'graphql';
import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import type { ErrorCode } from '../platform/errors.ts';
import { compileHeaders } from '../subgraph-client/compile-headers.ts';
import { IDENTITY_HEADER, type IdentitySigner } from '../subgraph-client/sign-identity.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

export interface StockDataSourceOptions {
  readonly name: string;
  readonly url: string;
  readonly policies: SubgraphPolicies;
  /** @defaultValue the subgraph does not learn who asks */
  readonly sign?: IdentitySigner | undefined;
}

/** Carries the context of an operation to the fetcher, which alone sees the body that has to be signed. Never leaves the process. */
const CONTEXT_HEADER = 'gatefold-context';

/** Asks one subgraph for the stock gateway, with the headers, the signature and the bounds of our own client. */
export function createStockDataSource(options: StockDataSourceOptions): RemoteGraphQLDataSource<SubgraphContext> {
  const { name, url, policies, sign } = options;
  const headersOf = compileHeaders(policies.headers);
  const contexts = new Map<string, SubgraphContext>();
  let count = 0;

  async function ask(body: string, context: SubgraphContext): Promise<Response> {
    const headers = new Headers();
    for (const line of headersOf.of(context).split('\r\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 2));
    }
    if (sign !== undefined) headers.set(IDENTITY_HEADER, sign(name, context.principal, body));
    const signal = AbortSignal.timeout(policies.requestTimeoutMs);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
      const text = await readAtMost(response, policies.maxResponseBytes);
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    } catch (cause) {
      throw failure(signal.aborted ? 'SUBGRAPH_TIMEOUT' : 'SUBGRAPH_UNAVAILABLE', name, cause);
    }
  }

  return new (class extends RemoteGraphQLDataSource<SubgraphContext> {
    override willSendRequest({
      request,
      context,
    }: Parameters<NonNullable<RemoteGraphQLDataSource<SubgraphContext>['willSendRequest']>>[0]) {
      count += 1;
      const id = String(count);
      contexts.set(id, context as SubgraphContext);
      request.http?.headers.set(CONTEXT_HEADER, id);
    }

    override async errorFromResponse(): Promise<GraphQLError> {
      return failure('SUBGRAPH_INVALID_RESPONSE', name);
    }
  })({
    url,
    fetcher: async (_url, init) => {
      const id = init?.headers?.[CONTEXT_HEADER] ?? '';
      const context = contexts.get(id);
      contexts.delete(id);
      if (context === undefined) throw new Error('A request to a subgraph belongs to no operation.');
      return ask(String(init?.body), context);
    },
  });
}

function failure(code: ErrorCode, subgraph: string, cause?: unknown): GraphQLError {
  const originalError = cause instanceof Error ? cause : null;
  return new GraphQLError(`The subgraph "${subgraph}" did not answer as expected.`, { originalError, extensions: { code } });
}

async function readAtMost(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`The response has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
