import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger as DrizzleLogger } from 'drizzle-orm';
import type { Statement } from './database.ts';

/** Reports statements to observers, and rejects statements that would bypass an open transaction. */
export interface StatementLog {
  /** Logger of the handle outside transactions. */
  readonly outside: DrizzleLogger;
  /** Logger of the handles of transactions. */
  readonly inside: DrizzleLogger;
  readonly observe: (observer: (statement: Statement) => void) => Disposable;
  /** Runs `work` as part of a transaction. */
  enter<T>(work: () => Promise<T>): Promise<T>;
}

/** Transaction of the running code, and the enclosing one, which belongs to another database. */
interface OpenTransaction {
  readonly observers: object;
  readonly outer: OpenTransaction | undefined;
}

/** Shared by all databases: before Node.js 24, each storage adds work to every promise of the process and is never collected. */
const openTransactions = new AsyncLocalStorage<OpenTransaction>();

export function createStatementLog(): StatementLog {
  const observers = new Set<(statement: Statement) => void>();
  const report = (text: string, parameters: readonly unknown[]) => {
    for (const observer of observers) observer({ text, parameters });
  };
  return {
    inside: { logQuery: report },
    outside: {
      logQuery(text, parameters) {
        // On the embedded database, this statement would wait for the transaction, which waits for the statement.
        if (isWithin(openTransactions.getStore(), observers))
          throw new Error('Inside a transaction, use the handle that the transaction provides.');
        report(text, parameters);
      },
    },
    observe(observer) {
      observers.add(observer);
      return { [Symbol.dispose]: () => void observers.delete(observer) };
    },
    enter: async (work) => openTransactions.run({ observers, outer: openTransactions.getStore() }, work),
  };
}

function isWithin(transaction: OpenTransaction | undefined, observers: object): boolean {
  for (let open = transaction; open !== undefined; open = open.outer) if (open.observers === observers) return true;
  return false;
}
