import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import { excessiveProxies } from './proxy-coverage.ts';
import { isLoopback, isPrivate } from './reach-of-host.ts';
import type { GatewayConfig } from './sections.ts';

/** One thing that the production profile does not start with. */
interface Unsafe {
  /** The key at fault. */
  readonly path: readonly string[];
  /** Where that is another one, the key whose origin is told. */
  readonly writtenAt?: readonly string[];
  readonly message: string;
  readonly hint: string;
}

const HOW_TO_SPEAK_TLS = 'Set server.tls, name the proxies that speak TLS in front with server.trustedProxies, or stay on 127.0.0.1.';

/** What the production profile does not start with, each in a sentence that says what to do. */
export function refuseUnsafe(config: GatewayConfig, originOf: OriginOf): readonly ConfigurationProblem[] {
  if (config.profile !== 'production') return [];
  const found = [
    ...developmentKey(config),
    ...plainListeners(config),
    ...believedProxies(config),
    ...plainOrigins(config),
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
      message: 'the production profile does not trust development tokens',
      hint: 'Remove the key, or start with the dev profile.',
    },
  ];
}

/** Listeners that other machines can reach, and that would be spoken to in the clear. */
function plainListeners({ server, auth, cache, maintenance, identity }: GatewayConfig): readonly Unsafe[] {
  if (server.tls !== undefined) return [];
  const unsafe: Unsafe[] = [];
  const isFronted = server.trustedProxies.length > 0;
  if (!isLoopback(server.host) && !isFronted) {
    unsafe.push({
      path: ['server', 'host'],
      message: `the production profile does not speak plain HTTP on ${server.host}, which other machines can reach`,
      hint: HOW_TO_SPEAK_TLS,
    });
    if (auth.providers.basic !== undefined) {
      unsafe.push({
        path: ['auth', 'providers', 'basic'],
        writtenAt: ['auth', 'providers', 'basic', 'file'],
        message: 'the production profile takes no passwords over plain HTTP',
        hint: HOW_TO_SPEAK_TLS,
      });
    }
  }
  if (!isLoopback(server.host) && server.requireTls === false) {
    unsafe.push({
      path: ['server', 'requireTls'],
      message: 'the production profile serves nobody who came in the clear',
      hint: 'Leave server.requireTls out.',
    });
  }
  if (
    !isLoopback(server.internalHost) &&
    !isFronted &&
    (cache.invalidationKey ?? maintenance.key ?? identity.serviceSecret) !== undefined
  ) {
    unsafe.push({
      path: ['server', 'internalHost'],
      message: `the production profile takes no keys in plain HTTP on ${server.internalHost}, which other machines can reach`,
      hint: 'Set server.tls, leave cache.invalidationKey, maintenance.key and identity.serviceSecret out, or stay on 127.0.0.1.',
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
      message: `${excessive} is everybody: each client could say where it comes from, and that it came by TLS`,
      hint: 'Name the addresses of the proxies: networks of at least /8 (IPv4) or /16 (IPv6), together a small part of the Internet.',
    },
  ];
}

function plainOrigins({ server }: GatewayConfig): readonly Unsafe[] {
  return server.cors.origins
    .filter((origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname))
    .map((origin) => ({
      path: ['server', 'cors', 'origins'],
      message: `the pages of ${origin} come in plain HTTP: whoever stands between could ask in their name`,
      hint: 'Name origins that begin with https://.',
    }));
}

function plainIdentityProviders({ jwt, introspection }: GatewayConfig['auth']['providers']): readonly Unsafe[] {
  const addresses = [
    ...Object.entries(jwt).map(([name, { jwksUrl }]) => ({
      path: ['auth', 'providers', 'jwt', name, 'jwksUrl'],
      url: jwksUrl,
      risk: 'whoever stands between could give keys of their own',
    })),
    {
      path: ['auth', 'providers', 'introspection', 'url'],
      url: introspection?.url,
      risk: 'whoever stands between could read tokens and say that theirs are good',
    },
  ];
  return addresses.flatMap(({ path, url, risk }) => {
    if (url === undefined || new URL(url).protocol === 'https:' || isLoopback(new URL(url).hostname)) return [];
    const message = `the production profile does not ask an identity provider in plain HTTP: ${risk}`;
    return [{ path, message, hint: 'Write an https:// address.' }];
  });
}

/** Headers in which clients send credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key']);

/** Clients' credentials that would go through open networks as they are. Addresses that only the supergraph has are not known here. */
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
      message: `the production profile does not hand the clients' header ${header} on in plain HTTP over open networks`,
      hint: 'Write an https:// address, or do not take the header over: gatefold-identity tells subgraphs who asks.',
    }));
  });
}

/** Keys that switch the verification of certificates off. */
function unverifiedSubgraphs({ tls, override }: GatewayConfig['subgraphs']): readonly Unsafe[] {
  const single = Object.entries(override).filter(([, settings]) => settings.tls?.rejectUnauthorized === false);
  const paths = [
    ...(tls.rejectUnauthorized ? [] : [['subgraphs', 'tls', 'rejectUnauthorized']]),
    ...single.map(([name]) => ['subgraphs', 'override', name, 'tls', 'rejectUnauthorized']),
  ];
  return paths.map((path) => ({
    path,
    message: 'the production profile does not trust a subgraph whose certificate cannot be verified',
    hint: 'Name the certificate authority with tls.caFile.',
  }));
}
