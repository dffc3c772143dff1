import { createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type IdentityKey, readIdentityKey } from '../config/identity-key.ts';
import type { IdentityConfig } from '../config/sections/identity.ts';
import type { Clock } from '../platform/clock.ts';
import { ownerIdOf, type Principal } from '../platform/principal.ts';
import { BOUND_TOKEN_TYPE, IDENTITY_HEADER, IDENTITY_ISSUER, TOKEN_LIFETIME_SECONDS } from '../subgraph-identity/identity-token.ts';
import { proofKeyOf, secretIdOf, type SignatureAlgorithm, signText } from '../subgraph-identity/signature-algorithm.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

/** Returns the principal that a subgraph sees. For an anonymous mutation, the id of the session replaces the subject. */
export function signedPrincipalOf({ principal, session }: SubgraphContext): Principal {
  return session === undefined ? principal : { ...principal, id: session };
}

/** Signs the identity of callers for subgraphs. */
export interface IdentitySigner {
  /** Name of the header, in lower case. */
  readonly header: string;
  readonly form: IdentityConfig['form'];
  /** Returns the identity for one request: `<token>`, or `<token>.<proof>` in the form `bound`. */
  sign(subgraph: string, principal: Principal, body: string): string;
  /** Returns the same as the value of the header. */
  headerValue(subgraph: string, principal: Principal, body: string): string;
}

export interface IdentitySignerOptions extends Partial<Pick<IdentityConfig, 'form' | 'header' | 'issuer'>> {
  readonly key: IdentityKey;
  readonly clock: Clock;
}

/** Time during which a token is reused. Signing a token is the most expensive step here. @unit milliseconds */
const TOKEN_REUSE_MS = 10_000;
/** Maximum number of cached tokens. @unit entries */
const MAX_TOKENS = 10_000;
/** Maximum total size of cached tokens. @unit bytes */
const MAX_TOKEN_BYTES = 16_777_216;
/** Overhead of a cached token in addition to its texts. @unit bytes */
const BYTES_PER_TOKEN = 300;

/**
 * Creates the signer of the section `identity`. Undefined if no key is configured.
 *
 * @throws ConfigurationInvalid when the file of the key is invalid
 */
export function openIdentitySigner(config: IdentityConfig, clock: Clock): IdentitySigner | undefined {
  const key = readIdentityKey(config);
  return key === undefined ? undefined : createIdentitySigner({ ...config, key, clock });
}

/**
 * Creates a signer for the identity of callers. The token names principal and subgraph and is reused for both. In the form `bound`, the
 * proof binds the token to one body, so that an intercepted token is useless with another body.
 */
export function createIdentitySigner(options: IdentitySignerOptions): IdentitySigner {
  const { key, clock, form = 'jwt', header = IDENTITY_HEADER, issuer = IDENTITY_ISSUER } = options;
  const { algorithm, keyId, signToken, prove } = 'secret' in key ? signWithSecret(key.secret) : signWithPrivateKey(key);
  // A JWS in compact form starts with its header (RFC 7515, section 7.1).
  const encodedHeader = encode({ alg: algorithm, kid: keyId, typ: form === 'bound' ? BOUND_TOKEN_TYPE : 'JWT' });
  const tokens = new LRUCache<string, ReusedToken>({
    max: MAX_TOKENS,
    maxSize: MAX_TOKEN_BYTES,
    sizeCalculation: ({ token }, name) => BYTES_PER_TOKEN + token.length + 2 * name.length,
  });

  // All requests of an operation, and most requests of a caller, have one principal object. Its tokens are found without building a key.
  const tokensOf = new WeakMap<Principal, Map<string, ReusedToken>>();

  function tokenFor(subgraph: string, principal: Principal): string {
    let own = tokensOf.get(principal);
    const known = own?.get(subgraph);
    if (known !== undefined && clock.monotonic() < known.reuseUntil) return known.token;
    const found = findOrSign(subgraph, principal);
    if (own === undefined) {
      own = new Map();
      tokensOf.set(principal, own);
    }
    own.set(subgraph, found);
    return found.token;
  }

  function findOrSign(subgraph: string, principal: Principal): ReusedToken {
    const name = `${subgraph} ${identityKeyOf(principal)}`; // Subgraph names contain no spaces.
    const now = clock.monotonic();
    const known = tokens.get(name);
    if (known !== undefined && now < known.reuseUntil) return known;
    const iat = Math.floor(clock.now() / 1_000);
    const claims = encode({ iss: issuer, aud: subgraph, ...claimsOf(principal), iat, exp: iat + TOKEN_LIFETIME_SECONDS });
    const signed = `${encodedHeader}.${claims}`;
    const fresh = { token: `${signed}.${signToken(signed)}`, reuseUntil: now + TOKEN_REUSE_MS };
    tokens.set(name, fresh);
    return fresh;
  }

  function signBound(subgraph: string, principal: Principal, body: string): string {
    const token = tokenFor(subgraph, principal);
    return `${token}.${prove(subgraph, `${token}.${body}`)}`;
  }

  const sign = form === 'bound' ? signBound : tokenFor;
  const scheme = header === 'authorization' ? 'Bearer ' : '';
  return { header, form, sign, headerValue: (subgraph, principal, body) => scheme + sign(subgraph, principal, body) };
}

/** A token, with the time until which requests use it again. */
interface ReusedToken {
  readonly token: string;
  /** @unit milliseconds of the monotonic clock */
  readonly reuseUntil: number;
}

/** Signatures with one key. */
interface KeySignatures {
  readonly algorithm: SignatureAlgorithm;
  readonly keyId: string;
  readonly signToken: (signed: string) => string;
  /** Returns the proof of the text `<token>.<body>`. */
  readonly prove: (subgraph: string, text: string) => string;
}

/** Signs tokens with HS256 and proofs with a separate key for each subgraph. */
function signWithSecret(secret: string): KeySignatures {
  const tokenKey = createSecretKey(secret, 'utf8');
  const proofKeys = new Map<string, KeyObject>();

  function proofKeyFor(subgraph: string): KeyObject {
    const known = proofKeys.get(subgraph) ?? proofKeyOf(tokenKey, subgraph);
    proofKeys.set(subgraph, known);
    return known;
  }

  return {
    algorithm: 'HS256',
    keyId: secretIdOf(tokenKey),
    signToken: (signed) => signText(tokenKey, 'HS256', signed),
    prove: (subgraph, text) => signText(proofKeyFor(subgraph), 'HS256', text),
  };
}

/**
 * Signs with a private key, so that subgraphs need no secret. The signed text of a proof contains at least three dots and is not a JWS.
 * Tokens and proofs therefore cannot be confused.
 */
function signWithPrivateKey({ privateKey, algorithm, keyId }: Exclude<IdentityKey, { readonly secret: string }>): KeySignatures {
  const signed = (text: string): string => signText(privateKey, algorithm, text);
  return { algorithm, keyId, signToken: signed, prove: (_subgraph, text) => signed(text) };
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
 * belong to `sub`. Anonymous callers have no `sub`, so that a subgraph never takes the id of a session for a user.
 */
function claimsOf(principal: Principal): Readonly<Record<string, unknown>> {
  const { issuer = '', kind, id, roles, scopes } = principal;
  const subject = kind !== 'anonymous' ? { sub: id } : id === '' ? {} : { session: id };
  return { ...subject, kind, issuer, owner: ownerIdOf(principal) !== undefined, roles: [...roles], scopes: [...scopes] };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
