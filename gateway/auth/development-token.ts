import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { GatewayConfig } from '../config/sections.ts';
import type { Clock } from '../platform/clock.ts';
import type { Principal } from '../platform/principal.ts';
import { invalidToken } from './refusals.ts';
import { toPrincipal } from './to-principal.ts';

/** What a development token says of its origin and of whom it is for. */
export const DEVELOPMENT_ISSUER = 'gatefold-dev';
export const DEVELOPMENT_AUDIENCE = 'gatefold';

/** Checks tokens signed with the development key; undefined without a key, where none can be good. */
export function createDevelopmentTokenVerifier(
  { developmentKey, clockToleranceMs }: GatewayConfig['auth'],
  clock: Clock,
): ((token: string) => Promise<Principal>) | undefined {
  if (developmentKey === undefined) return undefined;
  const key = new TextEncoder().encode(developmentKey);
  const fixed = {
    algorithms: ['HS256'],
    issuer: DEVELOPMENT_ISSUER,
    audience: DEVELOPMENT_AUDIENCE,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: clockToleranceMs / 1_000,
  };
  return async (token) => toPrincipal(await readClaims(token, key, { ...fixed, currentDate: new Date(clock.now()) }));
}

async function readClaims(token: string, key: Uint8Array, options: Parameters<typeof jwtVerify>[2]): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (cause) {
    // The two cases need different acts of the caller; of anything else a forger should learn nothing.
    if (cause instanceof errors.JWTExpired) throw invalidToken('The bearer token has expired.', cause);
    throw invalidToken('The bearer token is not valid here.', cause);
  }
}
