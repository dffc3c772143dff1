import type { JWTVerifyGetKey } from 'jose';
import { followConfiguredFile } from '../../config/follow-configured-file.ts';
import type { JwtIssuerConfig } from '../../config/sections/auth.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type FollowedKeys, followKeyAddress, hasRemovedKeys, parseKeySet } from './key-set.ts';
import { createJwtIssuer } from './jwt-issuer.ts';
import type { IsOwner } from '../to-principal.ts';
import { parseSharedKey } from '../credentials-file.ts';
import type { VerifyToken } from './verify-token.ts';

export interface OpenIssuerOptions {
  /** Path of the issuer in the configuration, for messages. */
  readonly setting: string;
  readonly isOwner: IsOwner;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Clock difference that is tolerated when the expiry time is checked. @unit milliseconds */
  readonly clockToleranceMs: number;
  /** Called when at least one key is no longer trusted, so that cached tokens are verified again. */
  readonly onKeysRemoved: () => void;
}

/** Issuer whose keys are refreshed. */
export interface OpenIssuer extends AsyncDisposable {
  readonly verify: VerifyToken;
}

/** Opens the key source of an issuer. @throws ConfigurationInvalid when its key file cannot be used */
export function openIssuer(issuer: JwtIssuerConfig, options: OpenIssuerOptions): OpenIssuer {
  const keys = followKeys(issuer, options);
  return { verify: createJwtIssuer(issuer, keys.find, options), [Symbol.asyncDispose]: () => keys[Symbol.asyncDispose]() };
}

function followKeys(issuer: JwtIssuerConfig, options: OpenIssuerOptions): FollowedKeys {
  const { jwksUrl, jwksFile, secretFile } = issuer;
  if (jwksUrl !== undefined) return followKeyAddress({ ...issuer, ...options, url: jwksUrl });
  if (jwksFile !== undefined) return followKeyFile(jwksFile, options);
  if (secretFile !== undefined) return followSharedKey(secretFile, issuer, options);
  throw new TypeError('The issuer has no key source. Expected jwksUrl, jwksFile or secretFile.');
}

function followKeyFile(path: string, { setting, logger, onKeysRemoved }: OpenIssuerOptions): FollowedKeys {
  const file = followConfiguredFile({
    path,
    setting: `${setting}.jwksFile`,
    parse: parseKeySet,
    adopt(next, before) {
      if (hasRemovedKeys(before, next)) onKeysRemoved();
    },
    logger,
  });
  const find: JWTVerifyGetKey = (header, token) => file.content.find(header, token);
  return { find, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

function followSharedKey(
  path: string,
  { algorithms }: JwtIssuerConfig,
  { setting, logger, onKeysRemoved }: OpenIssuerOptions,
): FollowedKeys {
  const file = followConfiguredFile({
    path,
    setting: `${setting}.secretFile`,
    parse: (text) => parseSharedKey(text, algorithms),
    adopt: onKeysRemoved,
    logger,
  });
  return { find: () => file.content, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}
