import {
  createLargeResponses,
  type LargeResponse,
  type LargeResponsesOptions,
} from '../../../../gateway/subgraph-client/large-responses.ts';
import type { SubgraphContext, SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

export const BOUND = 100;

export interface Coming {
  readonly caller?: string;
  readonly bytes?: number;
  readonly kind?: SubgraphRequest['kind'];
  readonly subgraph?: string;
  readonly maxWaiting?: number;
  /** Called when it begins or is refused. */
  readonly onTurn?: (response: LargeResponse) => void;
}

function contextOf(caller: string): SubgraphContext {
  return { ...REQUEST.context, remoteAddress: caller };
}

/** A bound of 100 bytes, where responses of 60 bytes come from callers who are told apart by their address. */
export function setUp(options: Partial<LargeResponsesOptions> = {}) {
  const large = createLargeResponses({ maxBytes: BOUND, callerOf: ({ remoteAddress = '' }) => remoteAddress, ...options });
  const seen: string[] = [];

  function make(name: string, { caller = 'a', bytes = 60, kind = 'query', subgraph = 'accounts', maxWaiting, onTurn }: Coming = {}) {
    const response: LargeResponse = {
      request: { ...REQUEST, kind, subgraph, body: name, context: contextOf(caller) },
      bytes,
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
      begin() {
        seen.push(name);
        onTurn?.(response);
      },
      refuse() {
        seen.push(`${name} refused`);
        onTurn?.(response);
      },
    };
    return response;
  }

  function come(name: string, coming: Coming = {}): LargeResponse {
    const response = make(name, coming);
    large.enter(response);
    return response;
  }

  /** What has happened since the last look. */
  return { large, make, come, look: () => seen.splice(0) };
}
