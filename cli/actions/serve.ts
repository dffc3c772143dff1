import { once } from 'node:events';
import { type ServeOptions, readProductConfig } from '../configuration.ts';
import { requireFreePort } from '../require-free-port.ts';
import { servingReport } from '../serving-report.ts';
import { startEngine } from '../start-engine.ts';
import type { Terminal } from '../terminal.ts';

/** Serves until the process receives a stop signal. @throws ConfigurationInvalid, and any error of the start */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const config = await readProductConfig(options, { profile: 'production' }, terminal);
  const { host, port } = config.server;
  await requireFreePort(host, port, '--port, PORT or the setting server.port');
  await using gateway = await startEngine(config);
  terminal.print(servingReport(gateway, config).join('\n'));
  if (!stop.aborted) await once(stop, 'abort');
}
