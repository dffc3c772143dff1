import type { RequestHeaders } from '../../platform/request-headers.ts';
import type { Hooks } from '../hooks.ts';

/** Request header with which a client requests the cost of its operation. Its value is ignored. */
const COST_HEADER = 'gatefold-cost';

/** Whether the client requests the cost of its operation. The cost is that of an execution, so a cache hit is not used. */
export function wantsCost({ headers }: { readonly headers: RequestHeaders }): boolean {
  return COST_HEADER in headers;
}

/** Creates the hook of `limits.exposeCost`, which adds `extensions.cost` to the response if the client requests it. */
export function reportCost(): Hooks {
  return {
    onResponse({ request, cost }) {
      if (request.transport === 'rest' || !wantsCost(request)) return undefined;
      const reported = cost();
      return reported === undefined ? undefined : { extensions: { cost: reported } };
    },
  };
}
