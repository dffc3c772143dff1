import { createHmac } from 'node:crypto';

/** What a test wants to say about a caller, rightly or wrongly. */
export interface SignedClaims {
  readonly kind?: unknown;
  readonly sub?: unknown;
  readonly roles?: unknown;
  readonly scopes?: unknown;
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly iat?: unknown;
  readonly exp?: unknown;
}

export interface IdentityToSign {
  readonly secret: string;
  /** Name of the subgraph. */
  readonly audience: string;
  readonly body: string;
  /** Above the defaults: an anonymous caller, signed now, for a minute. */
  readonly claims?: SignedClaims;
  readonly algorithm?: string;
  /** @unit milliseconds since the epoch @defaultValue the current time */
  readonly now?: number;
}

/** The `gatefold-identity` header, written down from the page that gateway and subgraphs share, and from neither's code. */
export function signIdentity({ secret, audience, body, claims, algorithm = 'HS256', now = Date.now() }: IdentityToSign): string {
  const iat = Math.floor(now / 1_000);
  const payload = { iss: 'gatefold', aud: audience, sub: '', kind: 'anonymous', roles: [], scopes: [], iat, exp: iat + 60, ...claims };
  const signed = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(payload)}`;
  const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  return `${token}.${proofOf({ secret, audience, token, body })}`;
}

/** The part that binds a token to one body. */
export function proofOf({ secret, audience, token, body }: { secret: string; audience: string; token: string; body: string }): string {
  const key = createHmac('sha256', secret).update(`proof:${audience}`).digest();
  return createHmac('sha256', key).update(`${token}.${body}`).digest('base64url');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
