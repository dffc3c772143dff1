import type { Database } from '../kit/database/database.ts';
import { seedCommerce } from './commerce.ts';
import { seedPeople } from './people.ts';

const SEED_NAME = 'reference';
const SEED_LOCK = 7_201_004;

/**
 * Adds the sample data to a migrated database without users, once. Rows that are removed later are not added again.
 *
 * @returns whether the data was added
 */
export async function seedDatabase(database: Database): Promise<boolean> {
  return database.scripts(async (session) => {
    await session.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
    const [found] = await session.query(
      'select exists (select from kit.seeds where name = $1) or exists (select from users.users) as filled',
      [SEED_NAME],
    );
    if (found?.['filled'] === true) return false;
    await seedPeople(session);
    await seedCommerce(session);
    await session.query('insert into kit.seeds (name) values ($1)', [SEED_NAME]);
    return true;
  });
}
