import type { SecurityRequirement, SecuritySchemes } from './openapi-document.ts';

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token (RFC 6750).' },
  basic: { type: 'http', scheme: 'basic', description: 'Name and password (RFC 7617).' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of a service.' },
} as const satisfies SecuritySchemes;

/** How the challenges of 401 name them. */
const CHALLENGES = { bearer: /\bBearer\b/i, basic: /\bBasic\b/i, apiKey: /\bApiKey\b/i };

/**
 * The ways to prove who one is.
 *
 * @param challenges value of `WWW-Authenticate` for callers that have not tried to
 */
export function securitySchemes(challenges: string): SecuritySchemes {
  return Object.fromEntries(
    (['bearer', 'basic', 'apiKey'] as const).flatMap((name) => (CHALLENGES[name].test(challenges) ? [[name, SCHEMES[name]]] : [])),
  );
}

/** One of the ways is enough; none at all is, where `isRequired` is not. */
export function securityOf(schemes: SecuritySchemes, isRequired: boolean): readonly SecurityRequirement[] {
  const ways = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return isRequired ? ways : [{}, ...ways];
}
