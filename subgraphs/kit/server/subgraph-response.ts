import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../request-context.ts';

/** Response of a subgraph to an operation. */
export interface SubgraphResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: string | AsyncIterable<string>;
}

/** Executes the operation in a request body that was parsed as JSON. */
export type ExecuteOperation = (
  body: unknown,
  headers: IncomingHttpHeaders,
  createContext: () => RequestContext,
) => Promise<SubgraphResponse>;
