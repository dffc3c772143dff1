import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../../../subgraphs/kit/database/database.ts';
import { toLoggableError } from '../../../../../subgraphs/kit/database/loggable-error.ts';
import { openServerDatabase } from '../../../../../subgraphs/kit/database/open-server-database.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { openSampleDatabase } from '../../../../support/database/sample-database.ts';

const ADDRESS = 'nora@private.example';

describe('the loggable form of an error', () => {
  let database: Database;
  beforeAll(async () => {
    // The snapshot of the build costs a fifth of an empty database.
    database = await openSampleDatabase();
    await database.scripts(async ({ script }) => script('create table people (email text constraint people_email unique)'));
    await database.sql.execute(sql`insert into people values (${ADDRESS})`);
  });
  afterAll(async () => database.close());

  const failureOf = async (statement: PromiseLike<unknown>) =>
    Promise.resolve(statement).then(
      () => new Error('The statement succeeded.'),
      (error: unknown) => error,
    );

  it.each([
    ['a duplicate value', sql`insert into people values (${ADDRESS})`, '23505'],
    ['a value of another type', sql`select ${ADDRESS}::int`, '22P02'],
  ])('contains the statement and SQLSTATE but no value for %s', async (_what, statement, sqlState) => {
    const error = await failureOf(database.sql.execute(statement));
    const thrown = new GraphQLError('failed', { originalError: error instanceof Error ? error : null });
    for (const loggable of [toLoggableError(error), toLoggableError(thrown)]) {
      expect(loggable).toMatchObject({ sqlState, statement: expect.stringContaining('$1'), stack: expect.stringContaining(' at ') });
      expect(inspect(loggable, { depth: 10, showHidden: true })).not.toContain('nora');
    }
  });

  it('contains the reason but no value when the server is unreachable', async () => {
    const unreachable = openServerDatabase({ url: 'postgres://127.0.0.1:1/none', log: silentLogger });
    const loggable = toLoggableError(await failureOf(unreachable.sql.execute(sql`select ${ADDRESS}::text`)));
    expect(loggable).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    expect(inspect(loggable, { depth: 10, showHidden: true })).not.toContain('nora');
    await unreachable.close();
  });

  it('is the error itself when it is not a database error', () => {
    const error = new TypeError('a bug');
    expect(toLoggableError(error)).toBe(error);
  });
});
