import { isIP } from 'node:net';
import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import type { GatewayConfig } from './sections.ts';

/** What the production profile does not start with, each in a sentence that says what to do. */
export function refuseUnsafe(config: GatewayConfig, originOf: OriginOf): readonly ConfigurationProblem[] {
  if (config.profile !== 'production') return [];
  const problems: ConfigurationProblem[] = [];
  if (config.auth.developmentKey !== undefined) {
    problems.push({
      path: 'auth.developmentKey',
      ...originField(originOf(['auth', 'developmentKey'], 'value')),
      message: 'the production profile does not trust development tokens',
      hint: 'Remove the key, or start with the dev profile.',
    });
  }
  if (!isLoopback(config.server.host) && !config.server.trustedProxy) {
    problems.push({
      path: 'server.host',
      ...originField(originOf(['server', 'host'], 'value')),
      message: `the production profile does not speak plain HTTP on ${config.server.host}, which other machines can reach`,
      hint: 'Put a proxy that speaks TLS in front and declare it with server.trustedProxy: true, or stay on 127.0.0.1.',
    });
  }
  if (config.auth.providers.basic !== undefined && !isLoopback(config.server.host) && !config.server.trustedProxy) {
    problems.push({
      path: 'auth.providers.basic',
      ...originField(originOf(['auth', 'providers', 'basic', 'file'], 'value')),
      message: 'the production profile takes no passwords over plain HTTP',
      hint: 'Put a proxy that speaks TLS in front and declare it with server.trustedProxy: true.',
    });
  }
  for (const { path, url, risk } of identityProviders(config.auth.providers)) {
    if (new URL(url).protocol === 'https:' || isLoopback(new URL(url).hostname)) continue;
    problems.push({
      path: path.join('.'),
      ...originField(originOf(path, 'value')),
      message: `the production profile does not ask an identity provider in plain HTTP: ${risk}`,
      hint: 'Write an https:// address.',
    });
  }
  for (const path of unverifiedSubgraphs(config.subgraphs)) {
    problems.push({
      path: path.join('.'),
      ...originField(originOf(path, 'value')),
      message: 'the production profile does not trust a subgraph whose certificate cannot be verified',
      hint: 'Name the certificate authority with tls.caFile.',
    });
  }
  return problems;
}

interface IdentityProvider {
  readonly path: readonly string[];
  readonly url: string;
  /** What whoever stands between could do. */
  readonly risk: string;
}

function identityProviders({ jwt, introspection }: GatewayConfig['auth']['providers']): readonly IdentityProvider[] {
  const issuers = Object.entries(jwt).flatMap(([name, { jwksUrl }]) =>
    jwksUrl === undefined
      ? []
      : [
          {
            path: ['auth', 'providers', 'jwt', name, 'jwksUrl'],
            url: jwksUrl,
            risk: 'whoever stands between could give keys of their own',
          },
        ],
  );
  if (introspection === undefined) return issuers;
  const path = ['auth', 'providers', 'introspection', 'url'];
  return [...issuers, { path, url: introspection.url, risk: 'whoever stands between could read tokens and say that theirs are good' }];
}

/** Keys that switch the verification of certificates off. */
function unverifiedSubgraphs({ tls, override }: GatewayConfig['subgraphs']): readonly (readonly string[])[] {
  const single = Object.entries(override).filter(([, settings]) => settings.tls?.rejectUnauthorized === false);
  return [
    ...(tls.rejectUnauthorized ? [] : [['subgraphs', 'tls', 'rejectUnauthorized']]),
    ...single.map(([name]) => ['subgraphs', 'override', name, 'tls', 'rejectUnauthorized']),
  ];
}

/** Whether only this machine can reach the address. */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1' || host === '[::1]') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
