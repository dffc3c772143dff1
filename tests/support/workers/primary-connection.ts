import type { PrimaryMessage } from '../../../cli/workers/messages.ts';
import { createPrimaryClient, type PrimaryClient } from '../../../cli/workers/primary-client.ts';
import { createCallServer } from '../../../cli/workers/serve-calls.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import type { OpenPrimarySession } from '../../../gateway/platform/primary-state.ts';

/**
 * Connects one of two workers to a primary in this process. Messages are copied as JSON, as between processes.
 *
 * @param openSession opens the shared state; undefined for a primary that has ended
 */
export function connectToPrimary(openSession: OpenPrimarySession | undefined): PrimaryClient {
  const calls =
    openSession === undefined ? undefined : createCallServer(openSession, (message) => setImmediate(() => client.receive(copy(message))));
  const client: PrimaryClient = createPrimaryClient({
    workers: 2,
    clock: systemClock,
    send(message) {
      if (calls === undefined || message.type !== 'calls') return false;
      calls.receive(copy(message.calls));
      return true;
    },
  });
  return client;
}

function copy<T extends PrimaryMessage | readonly unknown[]>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
