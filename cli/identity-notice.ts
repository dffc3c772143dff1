import type { ProductConfig } from './configuration.ts';

/** Headers in which clients send credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key']);

/**
 * Returns a notice for operators if subgraphs learn nothing about the caller: the gateway signs no identity and forwards no credentials of
 * clients. Empty otherwise, and in the dev profile.
 */
export function identityNotice({
  profile,
  identity,
  subgraphs,
}: Pick<ProductConfig, 'profile' | 'identity' | 'subgraphs'>): readonly string[] {
  if (profile === 'dev' || identity.secret !== undefined || identity.privateKeyFile !== undefined) return [];
  const rules = [subgraphs.headers, ...Object.values(subgraphs.override).map(({ headers }) => headers)];
  const isForwarded = rules.some((rule) =>
    (rule?.propagate ?? []).concat(Object.keys(rule?.rename ?? {})).some((header) => CREDENTIALS.has(header)),
  );
  if (isForwarded) return [];
  return [
    'Subgraphs receive no information about the caller: no user, roles or scopes. If they need it, choose one of these settings:',
    "  subgraphs.headers.propagate: [authorization]   forwards the client's own token",
    '  identity.secret or identity.privateKeyFile     sends a token that the gateway signs',
    'See docs/guides/forward-credentials.md in the package gatefold. If subgraphs do not need the caller, ignore this notice.',
  ];
}
