import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { ConfigurationInvalid } from '../../config/configuration-invalid.ts';
import { followConfiguredFile } from '../../config/follow-configured-file.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import type { TlsMaterial } from '../../platform/http/server/either-server.ts';
import type { Logger } from '../../platform/logger.ts';

/** Certificate and key of a listener. Both can change while the listener is open. */
export interface FollowedCertificate extends AsyncDisposable {
  /** Last certificate and key that match. */
  readonly material: TlsMaterial;
  /** Registers a listener for each later pair that matches. */
  onChange(secure: (material: TlsMaterial) => void): void;
}

type TlsSection = NonNullable<ResolvedGatewayConfig['server']['tls']>;

/**
 * Reads certificate and key now, and whenever one of them changes. The two files cannot be replaced in one step, so the last matching pair
 * is used until both new files match.
 *
 * @throws ConfigurationInvalid when a file cannot be read or the files do not match on the first read
 */
export function followCertificate({ certificateFile, keyFile, minVersion }: TlsSection, logger: Logger): FollowedCertificate {
  const listeners: ((material: TlsMaterial) => void)[] = [];
  const follow = (key: 'certificateFile' | 'keyFile', path: string, part: 'cert' | 'key') =>
    followConfiguredFile({
      path,
      setting: `server.tls.${key}`,
      parse: parsePem,
      adopt: (pem) => offer({ ...latest, [part]: pem }),
      logger,
    });
  const certificate = follow('certificateFile', certificateFile, 'cert');
  const key = openOrClose(certificate, () => follow('keyFile', keyFile, 'key'));
  let latest: TlsMaterial = { cert: certificate.content, key: key.content, minVersion };
  let material = openOrClose(certificate, () => openOrClose(key, () => checkFirst(latest)));

  function offer(next: TlsMaterial): void {
    latest = next;
    try {
      check(next);
    } catch (err) {
      logger.warn({ err }, 'The certificate and the key of the listener do not match; the gateway uses the previous pair until they do.');
      return;
    }
    material = next;
    for (const secure of listeners) secure(next);
    logger.info({ validTo: validToOf(next) }, 'The listener uses a new certificate.');
  }

  return {
    get material() {
      return material;
    },
    onChange: (secure) => void listeners.push(secure),
    async [Symbol.asyncDispose]() {
      await certificate[Symbol.asyncDispose]();
      await key[Symbol.asyncDispose]();
    },
  };
}

function openOrClose<T>(opened: AsyncDisposable, open: () => T): T {
  try {
    return open();
  } catch (error) {
    void opened[Symbol.asyncDispose]();
    throw error;
  }
}

function parsePem(text: string): string {
  if (!text.includes('-----BEGIN ')) throw new Error('it is not in PEM format');
  return text;
}

/** @throws Error when the certificate or the key is invalid, or they do not match */
function check(material: TlsMaterial): TlsMaterial {
  createSecureContext(material);
  return material;
}

function checkFirst(material: TlsMaterial): TlsMaterial {
  try {
    return check(material);
  } catch (cause) {
    const message = `the certificate and the key are invalid or do not match (${(cause as NodeJS.ErrnoException).code ?? 'unreadable'})`;
    throw new ConfigurationInvalid([{ path: 'server.tls', message }]);
  }
}

function validToOf({ cert }: TlsMaterial): string {
  return new X509Certificate(cert).validTo;
}
