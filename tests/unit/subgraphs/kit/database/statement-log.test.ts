import { describe, expect, it } from '@jest/globals';
import { createStatementLog } from '../../../../../subgraphs/kit/database/statement-log.ts';

const REFUSAL = 'Inside a transaction, use the handle that the transaction provides.';

describe('the log of statements', () => {
  it('given a transaction, when a statement goes past it, then it is refused, also after a pause', async () => {
    const log = createStatementLog();
    await log.enter(async () => {
      expect(() => log.outside.logQuery('select 1', [])).toThrow(REFUSAL);
      await Promise.resolve();
      expect(() => log.outside.logQuery('select 1', [])).toThrow(REFUSAL);
    });
    expect(() => log.outside.logQuery('select 1', [])).not.toThrow();
  });

  it('given a transaction of another database, when a statement is made, then it is allowed', async () => {
    const [log, other] = [createStatementLog(), createStatementLog()];
    await other.enter(async () => expect(() => log.outside.logQuery('select 1', [])).not.toThrow());
  });

  it('given a transaction within a transaction of another database, when statements go past either, then both are refused', async () => {
    const [log, other] = [createStatementLog(), createStatementLog()];
    await log.enter(async () =>
      other.enter(async () => {
        expect(() => log.outside.logQuery('select 1', [])).toThrow(REFUSAL);
        expect(() => other.outside.logQuery('select 1', [])).toThrow(REFUSAL);
      }),
    );
  });

  it('given an observer, when statements are made inside and outside of transactions, then it receives them until it is disposed', () => {
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
