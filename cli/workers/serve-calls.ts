import type { OpenPrimarySession, PrimaryNotice } from '../../gateway/platform/primary-state.ts';
import { type CallMessage, NO_RESULT, type PrimaryMessage } from './messages.ts';

/** Calls of one worker, as they are run in the primary. */
export interface CallServer {
  receive(calls: readonly CallMessage[]): void;
  /** Called when the worker has ended. */
  end(): void;
}

/**
 * Runs the calls of one worker. Results and notices of one turn of the event loop are sent as one message. A result that depends on other
 * workers is sent later, and the others do not wait for it.
 */
export function createCallServer(openSession: OpenPrimarySession, send: (message: PrimaryMessage) => void): CallServer {
  let results: (readonly [id: number, value: unknown])[] = [];
  let notices: PrimaryNotice[] = [];
  const session = openSession((notice) => {
    schedule();
    notices.push(notice);
  });

  function respond(id: number, value: unknown): void {
    schedule();
    results.push([id, value]);
  }

  function schedule(): void {
    if (results.length === 0 && notices.length === 0) queueMicrotask(flush);
  }

  function flush(): void {
    send(notices.length === 0 ? { type: 'results', results } : { type: 'results', results, notices });
    results = [];
    notices = [];
  }

  return {
    receive(calls) {
      for (const [id, name, args] of calls) {
        const value = session.run(name, args);
        if (id === NO_RESULT) continue;
        if (value instanceof Promise) void value.then((late: unknown) => respond(id, late));
        else respond(id, value);
      }
    },
    end: () => session.end(),
  };
}
