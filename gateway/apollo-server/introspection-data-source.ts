import { GraphQLError } from 'graphql';
import type { DataSource, SubgraphEndpoint } from './data-source.ts';

export interface IntrospectionDataSourceOptions {
  /** Time for the complete response of the subgraph. @unit milliseconds */
  readonly timeoutMs: number;
  /** Maximum size of the response. @unit bytes */
  readonly maxBytes: number;
}

/**
 * Creates a data source with which a supergraph manager fetches the SDL of a subgraph or checks its health. Operations of clients do not
 * use it.
 */
export function createIntrospectionDataSource({ url }: SubgraphEndpoint, options: IntrospectionDataSourceOptions): DataSource {
  return {
    async process({ request: { http, ...body } }) {
      if (url === undefined || !URL.canParse(url)) throw new GraphQLError('The subgraph has no valid address.');
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...Object.fromEntries(http?.headers ?? []), 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      const text = await readAtMost(response, options.maxBytes);
      if (!response.ok) throw new GraphQLError(`${response.status}: ${response.statusText}`);
      return JSON.parse(text) as Awaited<ReturnType<DataSource['process']>>;
    },
  };
}

async function readAtMost(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new GraphQLError(`The response is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
