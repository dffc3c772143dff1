import { once } from 'node:events';
import { type ServeOptions, readProductConfig } from '../configuration.ts';
import { identityNotice } from '../identity-notice.ts';
import { startEngine } from '../start-engine.ts';
import type { Terminal } from '../terminal.ts';

/** Serves until the process receives a stop signal. @throws ConfigurationInvalid, and any error of the start */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const config = await readProductConfig(options, { profile: 'production' }, terminal);
  await using gateway = await startEngine(config);
  terminal.print(
    [
      `Gatefold serves ${gateway.url}/graphql in the ${config.profile} profile. Health and other internal endpoints: ${gateway.internalUrl}.`,
      ...identityNotice(config),
    ].join('\n'),
  );
  if (!stop.aborted) await once(stop, 'abort');
}
