import { passExtensions } from '../hooks/built-in/pass-extensions.ts';
import { passResponseHeaders } from '../hooks/built-in/pass-response-headers.ts';
import { reportCost } from '../hooks/built-in/report-cost.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { CurrentSettings } from './current-settings.ts';

/**
 * Returns the hooks of the features that the configuration enables. They run before those of operators.
 *
 * @param varyingHeaders request headers that select different responses
 */
export function builtInHooks(settings: CurrentSettings, varyingHeaders: readonly string[]): readonly Hooks[] {
  const { limits, responses } = settings.current;
  return [
    ...(Object.keys(responses.headers).length > 0
      ? [passResponseHeaders({ rulesOf: () => settings.current.responses.headers, varyingHeaders })]
      : []),
    ...(responses.extensions.length > 0 ? [passExtensions(() => settings.current.responses.extensions)] : []),
    ...(limits.exposeCost ? [reportCost()] : []),
  ];
}
