import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IntrospectionConfig } from '../../config/sections/auth.ts';
import type { Clock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { TokenRules } from './jwt-issuer.ts';

/** Reports a rejected bearer token to the operator. */
export type ReportRejection = (rejected: {
  readonly token: string | undefined;
  readonly error: unknown;
  readonly requestId: unknown;
}) => void;

export interface RejectionReportOptions {
  /** Requirements for the tokens of each configured issuer. */
  readonly rules: readonly TokenRules[];
  /** Token introspection, which verifies tokens of all other issuers. @defaultValue such tokens are rejected */
  readonly introspection?: Pick<IntrospectionConfig, 'issuer' | 'audiences'> | undefined;
  /** Whether rejections are logged as warnings with the claims that were compared. Otherwise only the reason is logged, as debug entries. */
  readonly isExplained: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum length of a claim in the log. Clients choose the claims of tokens that are rejected. @unit UTF-16 code units */
const MAX_LENGTH = 200;

/**
 * Creates the log of rejected tokens. An explained entry contains the expected and the actual issuer, audience and algorithm and the expiry,
 * but never the token or its signature. Responses never contain the reason, because it would help a forger.
 */
export function createRejectionReport({ rules, introspection, isExplained, clock, logger }: RejectionReportOptions): ReportRejection {
  const issuers = [...rules.map(({ issuer }) => issuer), ...(introspection?.issuer === undefined ? [] : [introspection.issuer])];

  function explain(token: string): Readonly<Record<string, unknown>> | undefined {
    const read = readUnverified(token);
    if (read === undefined) return undefined;
    const { iss, aud, exp, alg, kid } = read;
    const own = rules.find(({ issuer }) => issuer === iss);
    const { audiences } = own ?? introspection ?? {};
    return {
      expected: {
        issuers: own === undefined ? issuers : [own.issuer],
        ...(audiences === undefined ? {} : { audiences }),
        ...(own === undefined ? {} : { algorithms: own.algorithms }),
      },
      actual: { issuer: shown(iss), audience: shown(aud), expiresAt: toDate(exp), algorithm: shown(alg), keyId: shown(kid) },
      now: new Date(clock.now()).toISOString(),
      ...hintFor(iss, issuers),
    };
  }

  return ({ token, error, requestId }) => {
    const reason = error instanceof Error ? (error.cause ?? error.message) : error;
    if (!isExplained || !(error instanceof GatewayError) || error.code !== 'UNAUTHENTICATED') {
      logger.debug({ reason }, 'A bearer token was rejected.');
      return;
    }
    const text = typeof reason === 'string' ? reason : error.message;
    const facts = token === undefined ? undefined : explain(token);
    const entry = { requestId, reason: text, ...(facts ?? { actual: 'The credential is not a JWT.' }) };
    logger.warn(entry, 'A bearer token was rejected. The response does not contain the reason.');
  };
}

/** Returns claims and header parameters without verifying them; undefined if the text is not a JWT. */
function readUnverified(token: string): Readonly<Record<'iss' | 'aud' | 'exp' | 'alg' | 'kid', unknown>> | undefined {
  try {
    const { iss, aud, exp } = decodeJwt(token);
    const { alg, kid } = decodeProtectedHeader(token);
    return { iss, aud, exp, alg, kid };
  } catch {
    return undefined;
  }
}

/** Limits the length of a claim, and of each element of a list. A missing claim is `null`. */
function shown(claim: unknown): unknown {
  if (Array.isArray(claim)) return claim.slice(0, 10).map(shown);
  if (claim === undefined) return null;
  const text = typeof claim === 'string' ? claim : JSON.stringify(claim);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function toDate(exp: unknown): string | null {
  const ms = typeof exp === 'number' ? exp * 1_000 : Number.NaN;
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}

/** Explains the two most frequent differences of issuers, which are difficult to see. */
function hintFor(issuer: unknown, expected: readonly string[]): { readonly hint?: string } {
  if (typeof issuer !== 'string' || expected.includes(issuer)) return {};
  const plain = (text: string): string => text.replace(/\/+$/, '').toLowerCase();
  const near = expected.find((one) => plain(one) === plain(issuer));
  if (near === undefined) return {};
  const difference = near.replace(/\/+$/, '') === issuer.replace(/\/+$/, '') ? 'a slash at its end' : 'upper and lower case';
  return { hint: `The issuer differs from ${near} only by ${difference}. Both must be equal.` };
}
