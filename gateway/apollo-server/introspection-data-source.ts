import type { GraphQLDataSource, ServiceEndpointDefinition } from '@apollo/gateway';
import { GraphQLError } from 'graphql';

export interface IntrospectionDataSourceOptions {
  /** Until the subgraph must have answered in full. @unit milliseconds */
  readonly timeoutMs: number;
  /** Largest answer. @unit bytes */
  readonly maxBytes: number;
}

/**
 * Asks a subgraph for its SDL, or whether it is there, on behalf of a supergraph manager. Operations of clients do not go
 * this way.
 */
export function createIntrospectionDataSource(
  { url }: ServiceEndpointDefinition,
  options: IntrospectionDataSourceOptions,
): GraphQLDataSource {
  return {
    async process({ request: { http, ...body } }) {
      if (url === undefined || !URL.canParse(url)) throw new GraphQLError('The subgraph has no address.');
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...Object.fromEntries(http?.headers ?? []), 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      const text = await readAtMost(response, options.maxBytes);
      if (!response.ok) throw new GraphQLError(`${response.status}: ${response.statusText}`);
      return JSON.parse(text) as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}

async function readAtMost(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new GraphQLError(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
