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
  /** Called when the response begins or is rejected. */
  readonly onTurn?: (response: LargeResponse) => void;
}

function contextOf(caller: string): SubgraphContext {
  return { ...REQUEST.context, remoteAddress: caller };
}

/** Creates a limit of 100 bytes for responses of 60 bytes. Callers are identified by their addresses. */
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

  /** Returns and clears the recorded events. */
  return { large, make, come, look: () => seen.splice(0) };
}
