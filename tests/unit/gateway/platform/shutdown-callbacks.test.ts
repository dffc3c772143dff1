import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createShutdownCallbacks } from '../../../../gateway/platform/shutdown-callbacks.ts';

function recordingCallbacks(timeoutMs?: number) {
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (...[, message]: unknown[]) => void logged.push(String(message)) };
  return { callbacks: createShutdownCallbacks(logger, timeoutMs), logged };
}

describe('createShutdownCallbacks', () => {
  it('logs a callback that throws and one that rejects, and waits for the others', async () => {
    const { callbacks, logged } = recordingCallbacks();
    const done: string[] = [];
    callbacks.add(() => {
      throw new Error('thrown');
    });
    callbacks.add(async () => Promise.reject(new Error('rejected')));
    callbacks.add(async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      done.push('flushed');
    });
    await callbacks.run();
    expect(done).toEqual(['flushed']);
    expect(logged).toEqual([
      'A component could not complete its work at shutdown.',
      'A component could not complete its work at shutdown.',
    ]);
  });

  it('does not wait for a callback beyond the timeout', async () => {
    const { callbacks, logged } = recordingCallbacks(10);
    callbacks.add(async () => new Promise(() => undefined));
    await callbacks.run();
    expect(logged).toEqual(['Not all components could complete their work at shutdown in time.']);
  });

  it('calls each callback once', async () => {
    const { callbacks, logged } = recordingCallbacks();
    let calls = 0;
    callbacks.add(() => {
      calls += 1;
    });
    await callbacks.run();
    await callbacks.run();
    expect([calls, logged]).toEqual([1, []]);
  });
});
