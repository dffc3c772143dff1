import type { Database } from '../kit/database/database.ts';
import { seedCommerce } from './commerce.ts';
import { seedPeople } from './people.ts';

const SEED_NAME = 'reference';
const SEED_LOCK = 7_201_004;

/**
 * Puts the sample data into a migrated database that has no users yet, once: what was removed later does not come back.
 *
 * @returns whether it was put in now
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
