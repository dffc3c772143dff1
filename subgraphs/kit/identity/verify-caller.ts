import type { Clock } from '../../../gateway/platform/clock.ts';
import { IdentityRejected } from '../../../gateway/subgraph-identity/identity-rejected.ts';
import { createIdentityVerifier, type IdentityTrust } from '../../../gateway/subgraph-identity/identity-verifier.ts';
import type { SubgraphIdentity } from '../../../gateway/subgraph-identity/subgraph-identity.ts';
import type { IdentityKeySet } from '../../../gateway/subgraph-identity/verification-keys.ts';
import type { Caller } from '../request-context.ts';

/** Gateways whose identities are trusted: those with the shared secret, or those with the private key of a listed public key. */
export type TrustedGateways =
  | {
      /** Value of `GATEFOLD_IDENTITY_SECRET`, the same as in the gateway. At least 32 characters. */
      readonly secret: string;
    }
  | {
      /** JWK Set with the public keys of gateways. */
      readonly keys: IdentityKeySet;
    };

export interface CallerVerifierOptions {
  readonly trust: TrustedGateways | IdentityTrust;
  /** Name of the subgraph. */
  readonly audience: string;
  readonly clock: Clock;
  /** Form of the accepted identities. @defaultValue 'bound' */
  readonly form?: 'jwt' | 'bound' | 'any';
  /** Header with the identity. @defaultValue 'gatefold-identity' */
  readonly header?: string;
  /** Claim `iss` of the identity. @defaultValue 'gatefold' */
  readonly issuer?: string;
  /** Role of administrators. @defaultValue 'ADMIN' */
  readonly adminRole?: string;
}

/** Verifies an identity header. Undefined when the header is missing, forged or expired, or belongs to another audience or body. */
export type CallerVerifier = (header: string | undefined, body: Buffer) => Promise<Caller | undefined>;

/** Creates a verifier. By default, it accepts only identities with a proof over the request body (`identity.form: bound`). */
export function createCallerVerifier({ trust, adminRole, form = 'bound', ...options }: CallerVerifierOptions): CallerVerifier {
  const verify = createIdentityVerifier({ ...trust, ...options, ...(form === 'any' ? {} : { form }) });
  const callers = new WeakMap<SubgraphIdentity, Caller>();
  return async (header, body) => {
    try {
      const identity = await verify(header, body);
      const caller = callers.get(identity) ?? toCaller(identity, adminRole);
      callers.set(identity, caller);
      return caller;
    } catch (error) {
      if (error instanceof IdentityRejected) return undefined;
      throw error;
    }
  };
}

function toCaller({ issuer, kind, subject: id, session, isOwner, roles, scopes }: SubgraphIdentity, adminRole: string | undefined): Caller {
  const isAdmin = adminRole === undefined ? {} : { isAdmin: roles.has(adminRole) };
  return { issuer, kind, id, ...(session === undefined ? {} : { session }), isOwner, ...isAdmin, roles, scopes };
}
