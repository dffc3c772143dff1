import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { passExtensions } from '../hooks/built-in/pass-extensions.ts';
import { passResponseHeaders } from '../hooks/built-in/pass-response-headers.ts';
import { reportCost } from '../hooks/built-in/report-cost.ts';
import type { Hooks } from '../hooks/hooks.ts';

/**
 * Returns the hooks of the features that the configuration enables. They run before those of operators.
 *
 * @param varyingHeaders request headers that select different responses
 */
export function builtInHooks({ limits, responses }: ResolvedGatewayConfig, varyingHeaders: readonly string[]): readonly Hooks[] {
  return [
    ...(Object.keys(responses.headers).length > 0 ? [passResponseHeaders({ rulesOf: () => responses.headers, varyingHeaders })] : []),
    ...(responses.extensions.length > 0 ? [passExtensions(() => responses.extensions)] : []),
    ...(limits.exposeCost ? [reportCost()] : []),
  ];
}
