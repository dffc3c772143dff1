import { describe, expect, it } from '@jest/globals';
import { createStatementLog } from '../../../../../subgraphs/kit/database/statement-log.ts';

const REJECTION = 'Inside a transaction, use the handle that the transaction provides.';

describe('the statement log', () => {
  it('rejects a statement that bypasses the transaction, also after an await', async () => {
    const log = createStatementLog();
    await log.enter(async () => {
      expect(() => log.outside.logQuery('select 1', [])).toThrow(REJECTION);
      await Promise.resolve();
      expect(() => log.outside.logQuery('select 1', [])).toThrow(REJECTION);
    });
    expect(() => log.outside.logQuery('select 1', [])).not.toThrow();
  });

  it('allows a statement inside a transaction of another database', async () => {
    const [log, other] = [createStatementLog(), createStatementLog()];
    await other.enter(async () => expect(() => log.outside.logQuery('select 1', [])).not.toThrow());
  });

  it('rejects statements that bypass either of two nested transactions', async () => {
    const [log, other] = [createStatementLog(), createStatementLog()];
    await log.enter(async () =>
      other.enter(async () => {
        expect(() => log.outside.logQuery('select 1', [])).toThrow(REJECTION);
        expect(() => other.outside.logQuery('select 1', [])).toThrow(REJECTION);
      }),
    );
  });

  it('an observer receives statements inside and outside of transactions until disposal', () => {
    const log = createStatementLog();
    const texts: string[] = [];
    const observer = log.observe(({ text, parameters }) => texts.push(`${text} ${parameters.join()}`));
    log.outside.logQuery('select $1', [1]);
    log.inside.logQuery('select $1', [2]);
    observer[Symbol.dispose]();
    log.outside.logQuery('select $1', [3]);
    expect(texts).toEqual(['select $1 1', 'select $1 2']);
  });
});
