import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/**
 * Checks that a port is free before anything slow is started. The listener checks again, because another process can take the port in the
 * meantime.
 *
 * @throws CommandFailed with the port, and how to choose another one
 */
export async function requireFreePort(host: string, port: number, howToMove: string): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    // The listener reports any other error in more detail.
    if (systemErrorCode(error) !== 'EADDRINUSE') return;
    throw new CommandFailed(`Port ${port} on ${host} is already in use. Stop the other process, or choose another port: ${howToMove}.`);
  } finally {
    probe.close();
  }
}
