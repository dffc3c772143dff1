import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IdentityKey } from '../config/identity-key.ts';
import type { Clock } from '../platform/clock.ts';
import { ownerIdOf, type Principal } from '../platform/principal.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

/** Whom a subgraph is told: an anonymous writer has a session in place of the subject. */
export function signedPrincipalOf({ principal, session }: SubgraphContext): Principal {
  return session === undefined ? principal : { ...principal, id: session };
}

/** Header that tells a subgraph, in a way it can check, for whom it is asked. */
export const IDENTITY_HEADER = 'gatefold-identity';

/** Value of the header for one request: `<token>.<proof>`. */
export type IdentitySigner = (subgraph: string, principal: Principal, body: string) => string;

export interface IdentitySignerOptions {
  readonly key: IdentityKey;
  readonly clock: Clock;
}

/** Until a token ends. @unit seconds */
const TOKEN_LIFETIME_SECONDS = 60;
/** How long one token serves for further requests: signing costs more than everything else here. @unit milliseconds */
const TOKEN_REUSE_MS = 10_000;
/** Tokens kept. @unit entries */
const MAX_TOKENS = 10_000;
/** Size of the tokens kept. @unit bytes */
const MAX_TOKEN_BYTES = 16_777_216;
/** Beside its texts: the entry, and its place in the cache. @unit bytes */
const BYTES_PER_TOKEN = 300;

/**
 * Signs who asks. The token names principal and subgraph and is made once for both; the proof binds it to one body, so a
 * token seen on the way is of no use with another.
 */
export function createIdentitySigner({ key, clock }: IdentitySignerOptions): IdentitySigner {
  const { header, signToken, prove } = 'secret' in key ? signWithSecret(key.secret) : signWithPrivateKey(key);
  // A JWS of the compact form begins with its header (RFC 7515, section 7.1).
  const encodedHeader = encode({ ...header, typ: 'JWT' });
  const tokens = new LRUCache<string, { readonly token: string; readonly reuseUntil: number }>({
    max: MAX_TOKENS,
    maxSize: MAX_TOKEN_BYTES,
    sizeCalculation: ({ token }, name) => BYTES_PER_TOKEN + token.length + 2 * name.length,
  });

  function tokenFor(subgraph: string, principal: Principal): string {
    const name = `${subgraph} ${identityKeyOf(principal)}`; // a subgraph's name has no space in it
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

/** One way to sign. */
interface Signature {
  /** What the header of a token says of it. */
  readonly header: Readonly<Record<string, string>>;
  readonly signToken: (signed: string) => string;
  readonly prove: (subgraph: string, token: string, body: string) => string;
}

/** HS256; proofs by a key of each subgraph. */
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
 * Ed25519 (RFC 8037): subgraphs need nothing that could sign. What a proof signs has three dots at least and is no JWS, so the
 * one is never taken for the other.
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

/** Equal for callers whom a subgraph cannot tell apart, and for nobody else. */
export function identityKeyOf(principal: Principal): string {
  const known = identityKeys.get(principal); // all requests of an operation have one principal
  if (known !== undefined) return known;
  const key = JSON.stringify(claimsOf(principal));
  identityKeys.set(principal, key);
  return key;
}

/** `issuer` tells apart callers with one `sub`; `owner` says whether objects of the graph can belong to `sub`. */
function claimsOf(principal: Principal): Readonly<Record<string, unknown>> {
  const { issuer = '', kind, id, roles, scopes } = principal;
  const owner = ownerIdOf(principal) !== undefined;
  return { issuer, sub: id, kind, owner, roles: [...roles], scopes: [...scopes] };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
