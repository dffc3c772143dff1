import { availableParallelism } from 'node:os';
import { followConfiguredFile } from '../config/follow-configured-file.ts';
import type { AuthConfig, IntrospectionConfig } from '../config/sections/auth.ts';
import type { Clock } from '../platform/clock.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';
import { findKeyOwner, parseApiKeys } from './api-keys.ts';
import { parseBasicUsers } from './basic/basic-users.ts';
import { deriveKey, withBoundedConcurrency } from './basic/password-hash.ts';
import { compileOwnerRules, DEVELOPMENT_RULES } from './owner-rules.ts';
import { createIntrospection, type Introspection, type IntrospectionOptions } from './bearer/token-introspection.ts';
import { createJwtIssuer } from './bearer/jwt-issuer.ts';
import { limitLoginFailures } from './basic/limit-login-failures.ts';
import { openIssuer } from './bearer/open-issuer.ts';
import { createRejectionReport } from './bearer/report-rejections.ts';
import type { IsOwner } from './to-principal.ts';
import { type RememberedTokens, rememberTokens } from './bearer/verified-tokens.ts';
import { type BasicVerifier, createBasicVerifier } from './basic/verify-basic.ts';
import { verifyByIssuer, type VerifyToken } from './bearer/verify-token.ts';

/** Verifiers for each kind of credential. Kinds that are not configured are absent. */
export interface Providers extends AsyncDisposable {
  readonly bearer: RememberedTokens;
  /** Returns the principal of a key. @throws GatewayError `UNAUTHENTICATED` when the key is invalid */
  readonly apiKey?: (presented: string) => Principal;
  readonly basic?: BasicVerifier;
}

export interface ProviderDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns whether an address is a trusted proxy, whose forwarding headers are accepted. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
  /** Whether the log explains why a bearer token was rejected, for development. @defaultValue false */
  readonly explainsRejections?: boolean;
}

interface OwnedDependencies extends ProviderDependencies {
  readonly isOwner: IsOwner;
}

/** Registers a resource to be closed with the providers. */
type Retain = <Opened extends AsyncDisposable>(opened: Opened) => Opened;

/**
 * Opens the configured providers. Files are read immediately; URLs are polled in the background.
 *
 * @throws ConfigurationInvalid when a file cannot be used
 */
export function openProviders(config: AuthConfig, given: ProviderDependencies): Providers {
  const dependencies = { ...given, isOwner: compileOwnerRules(config, given.logger) };
  const opened: AsyncDisposable[] = [];
  const close = async (): Promise<void> => void (await Promise.all(opened.map((one) => one[Symbol.asyncDispose]())));
  const retain: Retain = (one) => {
    opened.push(one);
    return one;
  };
  try {
    return {
      bearer: openBearer(config, dependencies, retain),
      ...openApiKeys(config, dependencies, retain),
      ...openBasic(config, dependencies, retain),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    void close();
    throw error;
  }
}

function openBearer(
  { developmentKey, clockToleranceMs, providers }: AuthConfig,
  dependencies: OwnedDependencies,
  retain: Retain,
): RememberedTokens {
  const issuers = new Map<string, VerifyToken>();
  const introspection = openIntrospection(providers.introspection, { ...dependencies, clockToleranceMs }, retain);
  const report = createRejectionReport({
    ...dependencies,
    rules: [...(developmentKey === undefined ? [] : [DEVELOPMENT_RULES]), ...Object.values(providers.jwt)],
    introspection: providers.introspection,
    isExplained: dependencies.explainsRejections ?? false,
  });
  const bearer = rememberTokens(verifyByIssuer(issuers, introspection?.verify), { ...dependencies, report });
  const options = { ...dependencies, clockToleranceMs, onKeysRemoved: bearer.forget };
  if (developmentKey !== undefined) {
    const key = new TextEncoder().encode(developmentKey);
    const findKey = (): Uint8Array => key;
    issuers.set(DEVELOPMENT_RULES.issuer, createJwtIssuer(DEVELOPMENT_RULES, findKey, options));
  }
  for (const [name, issuer] of Object.entries(providers.jwt)) {
    const { verify } = retain(openIssuer(issuer, { ...options, setting: `auth.providers.jwt.${name}` }));
    issuers.set(issuer.issuer, verify);
  }
  return bearer;
}

function openIntrospection(
  config: IntrospectionConfig | undefined,
  dependencies: Pick<IntrospectionOptions, 'clock' | 'logger' | 'clockToleranceMs' | 'isOwner'>,
  retain: Retain,
): Introspection | undefined {
  if (config === undefined) return undefined;
  const setting = 'auth.providers.introspection.clientSecretFile';
  const parse = (text: string): string => text.trim();
  const secret = retain(followConfiguredFile({ path: config.clientSecretFile, setting, parse, logger: dependencies.logger }));
  return retain(createIntrospection({ ...config, ...dependencies, clientSecret: () => secret.content }));
}

function openApiKeys({ providers }: AuthConfig, { clock, logger, isOwner }: OwnedDependencies, retain: Retain): Pick<Providers, 'apiKey'> {
  if (providers.apiKey === undefined) return {};
  const setting = 'auth.providers.apiKey.file';
  const keys = retain(followConfiguredFile({ path: providers.apiKey.file, setting, parse: (text) => parseApiKeys(text, isOwner), logger }));
  return { apiKey: (presented) => findKeyOwner(keys.content, presented, clock) };
}

function openBasic({ providers }: AuthConfig, { clock, logger, isOwner }: OwnedDependencies, retain: Retain): Pick<Providers, 'basic'> {
  if (providers.basic === undefined) return {};
  const { file, cacheMs, maxFailuresPerMinute, maxConcurrent = spareProcessors(), maxQueued } = providers.basic;
  const adopt = (): void => basic.forget();
  const setting = 'auth.providers.basic.file';
  const users = retain(followConfiguredFile({ path: file, setting, parse: (text) => parseBasicUsers(text, isOwner), adopt, logger }));
  const derive = withBoundedConcurrency(deriveKey, { maxConcurrent, maxQueued });
  const reserveFailure = limitLoginFailures({ maxPerMinute: maxFailuresPerMinute, clock });
  const basic = createBasicVerifier({ users: () => users.content, derive, reserveFailure, clock, cacheMs });
  return { basic };
}

/**
 * Returns the default concurrency for password hashing. If possible, one processor is reserved for other requests, because hashing a
 * password occupies one completely.
 */
function spareProcessors(): number {
  return Math.min(2, Math.max(1, availableParallelism() - 1));
}
