import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IdentityKey } from '../config/identity-key.ts';
import type { Clock } from '../platform/clock.ts';
import { ownerIdOf, type Principal } from '../platform/principal.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

/** Returns the principal that a subgraph sees. For an anonymous mutation, the session ID replaces the subject. */
export function signedPrincipalOf({ principal, session }: SubgraphContext): Principal {
  return session === undefined ? principal : { ...principal, id: session };
}

/** Header with the signed identity of the caller. */
export const IDENTITY_HEADER = 'gatefold-identity';

/** Returns the header value for one request: `<token>.<proof>`. */
export type IdentitySigner = (subgraph: string, principal: Principal, body: string) => string;

export interface IdentitySignerOptions {
  readonly key: IdentityKey;
  readonly clock: Clock;
}

/** Lifetime of a token. @unit seconds */
const TOKEN_LIFETIME_SECONDS = 60;
/** Time during which a token is reused. Signing a token is the most expensive step here. @unit milliseconds */
const TOKEN_REUSE_MS = 10_000;
/** Maximum number of cached tokens. @unit entries */
const MAX_TOKENS = 10_000;
/** Maximum total size of cached tokens. @unit bytes */
const MAX_TOKEN_BYTES = 16_777_216;
/** Overhead of a cached token in addition to its texts. @unit bytes */
const BYTES_PER_TOKEN = 300;

/**
 * Creates a signer for the identity of callers. The token names principal and subgraph and is reused for both. The proof binds the token to
 * one body, so that an intercepted token is useless with another body.
 */
export function createIdentitySigner({ key, clock }: IdentitySignerOptions): IdentitySigner {
  const { header, signToken, prove } = 'secret' in key ? signWithSecret(key.secret) : signWithPrivateKey(key);
  // A JWS in compact form starts with its header (RFC 7515, section 7.1).
  const encodedHeader = encode({ ...header, typ: 'JWT' });
  const tokens = new LRUCache<string, { readonly token: string; readonly reuseUntil: number }>({
    max: MAX_TOKENS,
    maxSize: MAX_TOKEN_BYTES,
    sizeCalculation: ({ token }, name) => BYTES_PER_TOKEN + token.length + 2 * name.length,
  });

  function tokenFor(subgraph: string, principal: Principal): string {
    const name = `${subgraph} ${identityKeyOf(principal)}`; // Subgraph names contain no spaces.
    const known = tokens.get(name);
    if (known !== undefined && clock.monotonic() < known.reuseUntil) return known.token;
    const iat = Math.floor(clock.now() / 1_000);
    const claims = encode({ iss: 'gatefold', aud: subgraph, ...claimsOf(principal), iat, exp: iat + TOKEN_LIFETIME_SECONDS });
    const signed = `${encodedHeader}.${claims}`;
    const token = `${signed}.${signToken(signed)}`;
    tokens.set(name, { token, reuseUntil: clock.monotonic() + TOKEN_REUSE_MS });
    return token;
  }

  return (subgraph, principal, body) => {
    const token = tokenFor(subgraph, principal);
    return `${token}.${prove(subgraph, token, body)}`;
  };
}

/** A signature algorithm. */
interface Signature {
  /** JWS header fields of the algorithm. */
  readonly header: Readonly<Record<string, string>>;
  readonly signToken: (signed: string) => string;
  readonly prove: (subgraph: string, token: string, body: string) => string;
}

/** Signs tokens with HS256 and proofs with a separate key for each subgraph. */
function signWithSecret(secret: string): Signature {
  const tokenKey = createSecretKey(secret, 'utf8');
  const proofKeys = new Map<string, KeyObject>();

  function proofKeyFor(subgraph: string): KeyObject {
    const known = proofKeys.get(subgraph);
    if (known !== undefined) return known;
    const key = createSecretKey(createHmac('sha256', tokenKey).update(`proof:${subgraph}`).digest());
    proofKeys.set(subgraph, key);
    return key;
  }

  return {
    header: { alg: 'HS256' },
    signToken: (signed) => createHmac('sha256', tokenKey).update(signed).digest('base64url'),
    prove: (subgraph, token, body) =>
      createHmac('sha256', proofKeyFor(subgraph)).update(token).update('.').update(body).digest('base64url'),
  };
}

/**
 * Signs with Ed25519 (RFC 8037), so that subgraphs need no secret. The signed text of a proof contains at least three dots and is not a
 * JWS. Tokens and proofs therefore cannot be confused.
 */
function signWithPrivateKey({ privateKey, keyId }: Exclude<IdentityKey, { readonly secret: string }>): Signature {
  const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url');
  return {
    header: { alg: 'EdDSA', kid: keyId },
    signToken: signed,
    prove: (_subgraph, token, body) => signed(`${token}.${body}`),
  };
}

const identityKeys = new WeakMap<Principal, string>();

/** Returns a key that is equal exactly for callers that subgraphs cannot distinguish. */
export function identityKeyOf(principal: Principal): string {
  const known = identityKeys.get(principal); // All requests of an operation share one principal object.
  if (known !== undefined) return known;
  const key = JSON.stringify(claimsOf(principal));
  identityKeys.set(principal, key);
  return key;
}

/**
 * Returns the claims of a principal. `issuer` distinguishes callers with the same `sub`. `owner` states whether objects of the graph can
 * belong to `sub`.
 */
function claimsOf(principal: Principal): Readonly<Record<string, unknown>> {
  const { issuer = '', kind, id, roles, scopes } = principal;
  const owner = ownerIdOf(principal) !== undefined;
  return { issuer, sub: id, kind, owner, roles: [...roles], scopes: [...scopes] };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
