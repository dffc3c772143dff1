import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import { excessiveProxies } from './proxy-coverage.ts';
import { isLoopback, isPrivate } from './reach-of-host.ts';
import type { GatewayConfig } from './sections.ts';

/** Setting that the production profile rejects. */
interface Unsafe {
  /** Path of the rejected setting. */
  readonly path: readonly string[];
  /** Path of the setting whose origin is reported, if it differs from `path`. */
  readonly writtenAt?: readonly string[];
  readonly message: string;
  readonly hint: string;
}

const HOW_TO_SPEAK_TLS = 'Set server.tls, list the proxies that terminate TLS in server.trustedProxies, or listen on 127.0.0.1.';

/** Returns the settings that the production profile rejects, each with a hint that describes the fix. */
export function refuseUnsafe(config: GatewayConfig, originOf: OriginOf): readonly ConfigurationProblem[] {
  if (config.profile !== 'production') return [];
  const found = [
    ...developmentKey(config),
    ...plainListeners(config),
    ...believedProxies(config),
    ...plainOrigins(config),
    ...localPages(config),
    ...plainIdentityProviders(config.auth.providers),
    ...credentialsInTheClear(config.subgraphs),
    ...unverifiedSubgraphs(config.subgraphs),
  ];
  return found.map(({ path, writtenAt = path, message, hint }) =>
    Object.assign({ path: path.join('.'), message, hint }, originField(originOf(writtenAt, 'value'))),
  );
}

function developmentKey({ auth }: GatewayConfig): readonly Unsafe[] {
  if (auth.developmentKey === undefined) return [];
  return [
    {
      path: ['auth', 'developmentKey'],
      message: 'the production profile does not accept development tokens',
      hint: 'Remove the key, or use the dev profile.',
    },
  ];
}

/** Finds listeners that other machines can reach without TLS. */
function plainListeners({ server, auth, cache, maintenance, identity }: GatewayConfig): readonly Unsafe[] {
  if (server.tls !== undefined) return [];
  const unsafe: Unsafe[] = [];
  const isFronted = server.trustedProxies.length > 0;
  if (!isLoopback(server.host) && !isFronted) {
    unsafe.push({
      path: ['server', 'host'],
      message: `the production profile does not allow plain HTTP on ${server.host}, which other machines can reach`,
      hint: HOW_TO_SPEAK_TLS,
    });
    if (auth.providers.basic !== undefined) {
      unsafe.push({
        path: ['auth', 'providers', 'basic'],
        writtenAt: ['auth', 'providers', 'basic', 'file'],
        message: 'the production profile does not accept passwords over plain HTTP',
        hint: HOW_TO_SPEAK_TLS,
      });
    }
  }
  if (!isLoopback(server.host) && server.requireTls === false) {
    unsafe.push({
      path: ['server', 'requireTls'],
      message: 'the production profile does not allow requests over plain HTTP',
      hint: 'Remove server.requireTls.',
    });
  }
  if (
    !isLoopback(server.internalHost) &&
    !isFronted &&
    (cache.invalidationKey ?? maintenance.key ?? identity.serviceSecret) !== undefined
  ) {
    unsafe.push({
      path: ['server', 'internalHost'],
      message: `the production profile does not accept keys over plain HTTP on ${server.internalHost}, which other machines can reach`,
      hint: 'Set server.tls, remove cache.invalidationKey, maintenance.key and identity.serviceSecret, or listen on 127.0.0.1.',
    });
  }
  return unsafe;
}

function believedProxies({ server }: GatewayConfig): readonly Unsafe[] {
  const excessive = excessiveProxies(server.trustedProxies);
  if (excessive === undefined) return [];
  return [
    {
      path: ['server', 'trustedProxies'],
      message: `${excessive} covers too many addresses: any client could forge its address and claim that it used TLS`,
      hint: 'List the addresses of the proxies. Use prefixes of at least /8 (IPv4) or /16 (IPv6) that together cover a small part of the Internet.',
    },
  ];
}

function plainOrigins({ server }: GatewayConfig): readonly Unsafe[] {
  return server.cors.origins
    .filter((origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname))
    .map((origin) => ({
      path: ['server', 'cors', 'origins'],
      message: `the pages of ${origin} are loaded over plain HTTP, so an attacker on the network could send requests from this origin`,
      hint: 'Use origins that start with https://.',
    }));
}

function localPages({ server }: GatewayConfig): readonly Unsafe[] {
  if (server.cors.localPages !== true) return [];
  return [
    {
      path: ['server', 'cors', 'localPages'],
      message: 'the production profile does not allow pages of every port of the local machine',
      hint: 'List the origins of the pages in server.cors.origins.',
    },
  ];
}

function plainIdentityProviders({ jwt, introspection }: GatewayConfig['auth']['providers']): readonly Unsafe[] {
  const addresses = [
    ...Object.entries(jwt).map(([name, { jwksUrl }]) => ({
      path: ['auth', 'providers', 'jwt', name, 'jwksUrl'],
      url: jwksUrl,
      risk: 'an attacker on the network could replace the keys',
    })),
    {
      path: ['auth', 'providers', 'introspection', 'url'],
      url: introspection?.url,
      risk: 'an attacker on the network could read tokens and forge responses',
    },
  ];
  return addresses.flatMap(({ path, url, risk }) => {
    if (url === undefined || new URL(url).protocol === 'https:' || isLoopback(new URL(url).hostname)) return [];
    const message = `the production profile does not allow plain HTTP to an identity provider: ${risk}`;
    return [{ path, message, hint: 'Use an https:// URL.' }];
  });
}

/** Headers in which clients send credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key']);

/**
 * Finds subgraphs to which client credentials would be sent unencrypted over public networks. URLs that are only in the supergraph are not
 * checked here.
 */
function credentialsInTheClear({ headers, override }: GatewayConfig['subgraphs']): readonly Unsafe[] {
  return Object.entries(override).flatMap(([name, { url, headers: own, subscriptions }]) => {
    const addresses = [
      { path: ['subgraphs', 'override', name, 'url'], address: url },
      { path: ['subgraphs', 'override', name, 'subscriptions', 'url'], address: subscriptions?.url },
    ];
    const open = addresses.filter(({ address }) => {
      return address !== undefined && new URL(address).protocol !== 'https:' && !isPrivate(new URL(address).hostname);
    });
    const removed = new Set([...headers.remove, ...(own?.remove ?? [])]);
    const taken = [headers, own].flatMap((rules) => (rules?.propagate ?? []).concat(Object.keys(rules?.rename ?? {})));
    const header = taken.find((one) => CREDENTIALS.has(one) && !removed.has(one));
    if (header === undefined) return [];
    return open.map(({ path }) => ({
      path,
      message: `the production profile does not forward the client header ${header} over plain HTTP on public networks`,
      hint: 'Use an https:// URL, or do not forward the header. The gatefold-identity header identifies the caller to subgraphs.',
    }));
  });
}

/** Finds settings that disable certificate verification. */
function unverifiedSubgraphs({ tls, override }: GatewayConfig['subgraphs']): readonly Unsafe[] {
  const single = Object.entries(override).filter(([, settings]) => settings.tls?.rejectUnauthorized === false);
  const paths = [
    ...(tls.rejectUnauthorized ? [] : [['subgraphs', 'tls', 'rejectUnauthorized']]),
    ...single.map(([name]) => ['subgraphs', 'override', name, 'tls', 'rejectUnauthorized']),
  ];
  return paths.map((path) => ({
    path,
    message: 'the production profile does not allow subgraph certificates that cannot be verified',
    hint: 'Set the certificate authority with tls.caFile.',
  }));
}
