import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger as DrizzleLogger } from 'drizzle-orm';
import type { Statement } from './database.ts';

/** Tells observers about statements and refuses those that would sidestep an open transaction. */
export interface StatementLog {
  /** For the handle outside transactions. */
  readonly outside: DrizzleLogger;
  /** For handles of transactions. */
  readonly inside: DrizzleLogger;
  readonly observe: (observer: (statement: Statement) => void) => Disposable;
  /** Marks what `work` does as part of a transaction. */
  enter<T>(work: () => Promise<T>): Promise<T>;
}

export function createStatementLog(): StatementLog {
  const observers = new Set<(statement: Statement) => void>();
  const transactions = new AsyncLocalStorage<true>();
  const tell = (text: string, parameters: readonly unknown[]) => {
    for (const observer of observers) observer({ text, parameters });
  };
  return {
    inside: { logQuery: tell },
    outside: {
      logQuery(text, parameters) {
        // On the embedded database this statement would wait for the transaction, which waits for the statement.
        if (transactions.getStore() === true) throw new Error('Inside a transaction, statements go through the handle that it was given.');
        tell(text, parameters);
      },
    },
    observe(observer) {
      observers.add(observer);
      return { [Symbol.dispose]: () => void observers.delete(observer) };
    },
    enter: async (work) => transactions.run(true, work),
  };
}
