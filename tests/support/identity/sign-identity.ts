import { createHmac } from 'node:crypto';

export interface IdentityToSign {
  readonly secret: string;
  /** Name of the subgraph. */
  readonly audience: string;
  /** The request body that the proof is bound to. */
  readonly body: string;
  readonly kind: 'anonymous' | 'user' | 'service';
  /** @defaultValue '' */
  readonly sub?: string;
  /** Whether objects can belong to `sub`. @defaultValue true for callers with credentials */
  readonly owner?: boolean;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** Claims that override the correct ones. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `alg` of the header that overrides the correct one. */
  readonly algorithm?: string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Returns the value of the header `gatefold-identity`. It is built by hand, so that it does not share a mistake with the code that signs
 * and verifies it.
 */
export function signIdentity({
  secret,
  audience,
  body,
  kind,
  sub = '',
  owner = kind !== 'anonymous',
  roles = [],
  scopes = [],
  claims = {},
  algorithm = 'HS256',
}: IdentityToSign): string {
  const iat = Math.floor(Date.now() / 1_000);
  const payload = { iss: 'gatefold', aud: audience, sub, owner, roles, scopes, kind, iat, exp: iat + 60, ...claims };
  const input = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(payload)}`;
  const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  return `${token}.${proofOf({ secret, audience, token, body })}`;
}

/** Returns the proof that binds a token to one body. */
export function proofOf({
  secret,
  audience,
  token,
  body,
}: Pick<IdentityToSign, 'secret' | 'audience' | 'body'> & { readonly token: string }): string {
  const key = createHmac('sha256', secret).update(`proof:${audience}`).digest();
  return createHmac('sha256', key).update(`${token}.${body}`).digest('base64url');
}
