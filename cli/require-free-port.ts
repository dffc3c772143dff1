import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/**
 * Tells that a port is taken before anything slow is started. The listener itself finds out again, should another
 * process come between.
 *
 * @throws CommandFailed in words that name the port and say how to choose another
 */
export async function requireFreePort(host: string, port: number, howToMove: string): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    // Anything else is told by the listener, which knows more of it.
    if (systemErrorCode(error) !== 'EADDRINUSE') return;
    throw new CommandFailed(`Port ${port} on ${host} is taken by another process. Stop that one, or choose another port: ${howToMove}.`);
  } finally {
    probe.close();
  }
}
