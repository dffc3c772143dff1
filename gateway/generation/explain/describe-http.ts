import type { ConnectorMethod } from '../../connectors/definition/connector-definition.ts';
import { inputUsesOf } from '../../connectors/expand/input-uses.ts';
import type { VirtualSubgraph } from '../../connectors/expand/virtual-subgraph.ts';

/** The HTTP requests that a connector sends for one request of a plan. */
export interface DescribedHttp {
  readonly method: ConnectorMethod;
  /** URL of the source and the connector as written, with expressions in braces. */
  readonly url: string;
  /** Unit for which one HTTP request is sent: a field of the root type, an entity, or a batch of entities. */
  readonly per: 'field' | 'entity' | 'batch';
  /** Maximum number of entities in a batch. Absent if it is not limited, or if no batches are sent. */
  readonly maxSize?: number;
}

/**
 * Describes the HTTP requests of a fetch.
 *
 * @param isLookup whether the fetch sends representations of entities
 */
export function describeHttp({ connector }: VirtualSubgraph, isLookup: boolean): DescribedHttp {
  const { http, source, batchMaxSize } = connector;
  const isBatch = isLookup && inputUsesOf(connector).some(({ variable }) => variable === '$batch');
  return {
    method: http.method,
    url: source === undefined ? http.url.text : joinUrl(source.baseUrl.text, http.url.text),
    per: isBatch ? 'batch' : isLookup ? 'entity' : 'field',
    ...(isBatch && batchMaxSize !== undefined ? { maxSize: batchMaxSize } : {}),
  };
}

function joinUrl(base: string, path: string): string {
  const rest = path.trim().replace(/^\/+/, '');
  return `${base.trim().replace(/\/+$/, '')}${rest === '' || rest.startsWith('?') ? '' : '/'}${rest}`;
}
