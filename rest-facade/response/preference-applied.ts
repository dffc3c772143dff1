import type { ReadyRequest } from '../http/ready-request.ts';

/** Which preferences were heeded: the value of `Preference-Applied` (RFC 7240, section 3); undefined where there were none. */
export function preferencesApplied({ route, preferences, isMinimal, bound }: ReadyRequest): string | undefined {
  const { returns, handling, count } = preferences;
  if (returns === undefined && handling === undefined && count === undefined) return undefined;
  const shows = returns === 'representation' && route.method !== 'GET' && route.status !== 204;
  const applied = [
    ...(isMinimal ? ['return=minimal'] : []),
    ...(shows ? ['return=representation'] : []),
    ...(count === 'none' && bound.isUncounted === true ? ['count=none'] : []),
    ...(handling === undefined ? [] : [`handling=${handling}`]),
  ];
  return applied.length === 0 ? undefined : applied.join(', ');
}
