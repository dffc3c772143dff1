import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { bytesOfText, bytesOfValue } from '../platform/bytes-of-value.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { createFetchedKeys } from './fetched-keys.ts';
import { IdentityRejected } from './identity-rejected.ts';
import { BOUND_TOKEN_TYPE, IDENTITY_HEADER, IDENTITY_ISSUER, TOKEN_LIFETIME_SECONDS } from './identity-token.ts';
import { isSignatureOf, proofKeyOf } from './signature-algorithm.ts';
import { type SubgraphIdentity, toSubgraphIdentity } from './subgraph-identity.ts';
import {
  type FindVerificationKey,
  type IdentityKeySet,
  readIdentityKeySet,
  trustSecrets,
  type VerificationKey,
} from './verification-keys.ts';

/** Trusted gateways: those with a shared secret, or those with the private key of a public key. Exactly one option is set. */
export type IdentityTrust =
  | {
      /** Value of `identity.secret` of the gateway, or several of them while it is replaced. At least 32 characters each. */
      readonly secret: string | readonly string[];
    }
  | {
      /** JWK Set with the public keys of gateways. */
      readonly keys: IdentityKeySet;
    }
  | {
      /**
       * URL of the JWK Set: `/identity/keys` of the internal listener of the gateway. It is fetched at the first token, for an unknown key
       * id, and every five minutes, but at most once in five seconds.
       */
      readonly jwksUrl: string;
      /** Fetches the JWK Set. @defaultValue the global `fetch` */
      readonly fetch?: typeof globalThis.fetch;
    };

export type IdentityVerifierOptions = IdentityTrust & {
  /** Name of the subgraph in the supergraph. A token for another subgraph is rejected. */
  readonly audience: string;
  /** Value of `identity.header` of the gateway. @defaultValue 'gatefold-identity' */
  readonly header?: string;
  /** Value of `identity.issuer` of the gateway. @defaultValue 'gatefold' */
  readonly issuer?: string;
  /** Form that is accepted: `jwt`, or `bound` with a proof over the request body. @defaultValue either form */
  readonly form?: 'jwt' | 'bound';
  /** Tolerated difference between the clocks of gateway and subgraph. @unit seconds @defaultValue 5 */
  readonly clockToleranceSeconds?: number;
  /** Clock for tests. @defaultValue the system clock */
  readonly clock?: Clock;
};

/** A request with headers: of Node.js, Express, Fastify, or the Fetch API and its implementations. */
export interface RequestWithHeaders {
  readonly headers: { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Verifies the identity of a request, or the value of its header.
 *
 * @param body body of the request as it was received; needed for the form `bound`
 * @throws IdentityRejected with a code when the identity is missing or invalid
 */
export type IdentityVerifier = (request: RequestWithHeaders | string | undefined, body?: string | Uint8Array) => Promise<SubgraphIdentity>;

const DEFAULT_TOLERANCE_SECONDS = 5;
const MAX_HEADER_LENGTH = 8_192;
const MAX_CACHED_TOKENS = 10_000;
/** Maximum memory of the cached tokens and their identities. @unit bytes */
const MAX_CACHED_BYTES = 16_777_216;
/** Size of the objects of an entry and of its cache slot. @unit bytes */
const BYTES_PER_ENTRY = 600;

/** A header value, divided into token and proof. */
interface HeaderParts {
  readonly token: string;
  /** Undefined in the form `jwt`. */
  readonly proof: string | undefined;
}

/** A token whose signature and claims are valid. It may have expired since. */
interface VerifiedToken {
  readonly identity: SubgraphIdentity;
  readonly key: VerificationKey;
  /** Whether the token is valid only with a proof. */
  readonly isBound: boolean;
}

/**
 * Creates a verifier of the identities that the gateway sends to one subgraph. Verified tokens are cached until they expire. Only the
 * algorithm of the trusted key is accepted: HS256 for secrets; EdDSA, ES256 or RS256 for public keys.
 *
 * @throws TypeError for invalid options
 */
export function createIdentityVerifier(options: IdentityVerifierOptions): IdentityVerifier {
  const { audience, form, issuer = IDENTITY_ISSUER, clock = systemClock, clockToleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const header = (options.header ?? IDENTITY_HEADER).toLowerCase();
  if (typeof audience !== 'string' || audience === '') {
    throw new TypeError('The option "audience" of an identity verifier must be the name of the subgraph.');
  }
  const findKey = trustOf(options, clock);
  const proofKeys = new WeakMap<VerificationKey, VerificationKey>();
  const verified = new LRUCache<string, VerifiedToken>({
    max: MAX_CACHED_TOKENS,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ identity }, token) => BYTES_PER_ENTRY + bytesOfText(token) + 2 * bytesOfValue(identity.claims),
  });

  /** Returns the key of the proofs of one key. A secret has a separate key for the proofs of each subgraph. */
  function proofKeyFor(tokenKey: VerificationKey): VerificationKey {
    if (tokenKey.algorithm !== 'HS256') return tokenKey;
    const known = proofKeys.get(tokenKey) ?? { key: proofKeyOf(tokenKey.key, audience), algorithm: 'HS256' };
    proofKeys.set(tokenKey, known);
    return known;
  }

  async function keyOf(token: string): Promise<VerificationKey> {
    const { alg, kid } = readHeader(token);
    const key = await findKey(kid);
    if (key === undefined) throw new IdentityRejected('WRONG_SIGNATURE', 'The identity token is signed by a key that is not trusted.');
    if (alg === key.algorithm) return key;
    throw new IdentityRejected(
      'WRONG_SIGNATURE',
      `The identity token must be signed with ${key.algorithm}, the algorithm of the trusted key.`,
    );
  }

  async function verifyToken(token: string): Promise<VerifiedToken> {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const key = await keyOf(token);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key.key, {
        algorithms: [key.algorithm],
        issuer,
        audience,
        requiredClaims: ['iat', 'exp'],
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: TOKEN_LIFETIME_SECONDS,
        currentDate: new Date(clock.now()),
      });
      const fresh = { identity: toSubgraphIdentity(payload), key, isBound: protectedHeader.typ === BOUND_TOKEN_TYPE };
      verified.set(token, fresh);
      return fresh;
    } catch (error) {
      throw toRejection(error);
    }
  }

  async function verifyProof(token: string, proof: string, body: string | Uint8Array | undefined): Promise<void> {
    if (body === undefined) {
      throw new IdentityRejected('BODY_REQUIRED', 'The identity has a proof over the request body. Pass the body as it was received.');
    }
    const { key, algorithm } = proofKeyFor(verified.get(token)?.key ?? (await keyOf(token)));
    const bytes = Buffer.concat([Buffer.from(`${token}.`), typeof body === 'string' ? Buffer.from(body) : body]);
    if (isSignatureOf(key, algorithm, bytes, proof)) return;
    await verifyToken(token); // If the token is invalid as well, its error is more precise.
    throw new IdentityRejected('WRONG_BODY', 'The proof of the identity does not match the request body.');
  }

  return async (request, body) => {
    const { token, proof } = divide(headerValueOf(request, header));
    if (proof === undefined ? form === 'bound' : form === 'jwt') throw wrongForm(proof);
    // The proof is verified first, because it is cheaper and cannot be made without the key.
    if (proof !== undefined) await verifyProof(token, proof, body);
    const { identity, isBound } = await verifyToken(token);
    if (isBound && proof === undefined) throw wrongForm(proof);
    if (identity.expiresAt + clockToleranceSeconds > clock.now() / 1_000) return identity;
    throw new IdentityRejected('EXPIRED', 'The identity token is expired.');
  };
}

function wrongForm(proof: string | undefined): IdentityRejected {
  return new IdentityRejected(
    'WRONG_FORM',
    proof === undefined ? 'The identity token has no proof over the request body.' : 'Expected an identity token without a proof.',
  );
}

const verifiers = new WeakMap<IdentityVerifierOptions, IdentityVerifier>();

/**
 * Verifies the identity of a request with these options. Pass the same options object each time: its verifier is created once.
 *
 * @param body body of the request as it was received; needed for the form `bound`
 * @throws IdentityRejected with a code when the identity is missing or invalid; TypeError for invalid options
 */
export async function verifyIdentity(
  request: RequestWithHeaders | string | undefined,
  options: IdentityVerifierOptions,
  body?: string | Uint8Array,
): Promise<SubgraphIdentity> {
  let verify = verifiers.get(options);
  if (verify === undefined) {
    verify = createIdentityVerifier(options);
    verifiers.set(options, verify);
  }
  return verify(request, body);
}

function trustOf(options: IdentityVerifierOptions, clock: Clock): FindVerificationKey {
  const given = (['secret', 'keys', 'jwksUrl'] as const).filter(
    (name) => (options as Readonly<Record<string, unknown>>)[name] !== undefined,
  );
  if (given.length !== 1) throw new TypeError('An identity verifier needs exactly one of the options "secret", "keys" and "jwksUrl".');
  if ('secret' in options) return trustSecrets(typeof options.secret === 'string' ? [options.secret] : options.secret);
  if ('jwksUrl' in options) return createFetchedKeys({ url: options.jwksUrl, fetch: options.fetch ?? fetch, clock });
  const keys = readKeys(options.keys);
  return (keyId) => keys.get(keyId ?? '');
}

function readKeys(set: IdentityKeySet): ReadonlyMap<string, VerificationKey> {
  try {
    return readIdentityKeySet(set);
  } catch (cause) {
    throw new TypeError(`The option "keys" of an identity verifier ${cause instanceof Error ? cause.message : ''}.`, { cause });
  }
}

function headerValueOf(request: RequestWithHeaders | string | undefined, name: string): string {
  const value = typeof request === 'object' ? headerOf(request, name) : request;
  const text = name === 'authorization' ? value?.replace(/^Bearer +/i, '') : value;
  if (text === undefined || text === '') {
    throw new IdentityRejected('MISSING', `The request has no identity of the gateway in the header ${name}.`);
  }
  return text;
}

function headerOf({ headers }: RequestWithHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Divides a header value. A token has three segments, and a proof is the fourth. @throws IdentityRejected `MALFORMED` */
function divide(value: string): HeaderParts {
  const parts = value.length > MAX_HEADER_LENGTH ? [] : value.split('.');
  if (parts.length === 3) return { token: value, proof: undefined };
  const end = value.lastIndexOf('.');
  if (parts.length === 4) return { token: value.slice(0, end), proof: value.slice(end + 1) };
  throw new IdentityRejected('MALFORMED', 'The identity is not a JSON Web Token, alone or with a proof.');
}

function readHeader(token: string) {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new IdentityRejected('MALFORMED', 'The identity is not a JSON Web Token, alone or with a proof.', { cause });
  }
}

/** Converts an error of the verification. Errors that are not about the token are returned unchanged. */
function toRejection(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new IdentityRejected('EXPIRED', 'The identity token is expired.', { cause: error });
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error;
    if (claim === 'aud') return new IdentityRejected('WRONG_AUDIENCE', 'The identity token is for another subgraph.', { cause: error });
    if (claim === 'iss') return new IdentityRejected('WRONG_ISSUER', 'The identity token has another issuer.', { cause: error });
    return new IdentityRejected('INVALID_CLAIMS', `The claim ${claim} of the identity token is missing or invalid.`, { cause: error });
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return new IdentityRejected('MALFORMED', 'The identity is not a JSON Web Token, alone or with a proof.', { cause: error });
  }
  if (!(error instanceof errors.JOSEError)) return error;
  return new IdentityRejected('WRONG_SIGNATURE', 'The signature of the identity token is invalid.', { cause: error });
}
