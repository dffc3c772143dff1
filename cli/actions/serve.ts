import { once } from 'node:events';
import { type ServeOptions, readProductConfig } from '../configuration.ts';
import { startEngine } from '../start-engine.ts';
import type { Terminal } from '../terminal.ts';

/** Serves until told to stop. @throws ConfigurationInvalid, and whatever starting throws */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const config = await readProductConfig(options, { profile: 'production' }, terminal);
  await using gateway = await startEngine(config);
  terminal.print(
    [
      `Gatefold serves ${gateway.url}/graphql in the ${config.profile} profile; health and what else is internal: ${gateway.internalUrl}.`,
      ...(config.identity.secret === undefined && config.identity.privateKeyFile === undefined
        ? [
            'Neither identity.secret nor identity.privateKeyFile is set: subgraphs are not told who asks, and cannot tell the gateway from anybody else.',
          ]
        : []),
    ].join('\n'),
  );
  if (!stop.aborted) await once(stop, 'abort');
}
