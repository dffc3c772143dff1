import { readConfiguration } from '../gateway/config/read-configuration.ts';
import { systemClock } from '../gateway/platform/clock.ts';
import { ANONYMOUS } from '../gateway/platform/principal.ts';
import { openIdentitySigner } from '../gateway/subgraph-client/sign-identity.ts';
import { SERVICE_QUERY } from '../gateway/supergraph/sources/introspect-subgraph.ts';
import { CommandFailed } from './command-failed.ts';
import { productSchema } from './configuration.ts';
import type { Terminal } from './terminal.ts';

/** Returns headers that authenticate the request for the SDL of a subgraph. */
export type SdlHeaders = (subgraph: string) => Readonly<Record<string, string>>;

/**
 * Signs requests for the SDL as the gateway signs its own: with the key of the section `identity`, and as an anonymous caller. Other settings
 * are validated, but the supergraph of the configuration is not read, because the command may be about to write it.
 *
 * @throws ConfigurationInvalid when the configuration is invalid
 * @throws CommandFailed when it has no key
 */
export async function openSdlSigner(configFile: string | undefined, { env }: Pick<Terminal, 'env'>): Promise<SdlHeaders> {
  const file = configFile === undefined ? {} : { file: configFile };
  const { identity } = await readConfiguration({ env, profileDefault: 'production', schema: productSchema, ...file });
  const signer = openIdentitySigner(identity, systemClock);
  if (signer === undefined) {
    throw new CommandFailed(
      'The option --sign requires a key to sign with. Set identity.secret or identity.privateKeyFile in the configuration of the gateway.',
      { exitCode: 2 },
    );
  }
  return (subgraph) => ({ [signer.header]: signer.headerValue(subgraph, ANONYMOUS, SERVICE_QUERY) });
}
