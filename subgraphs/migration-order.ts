import { join } from 'node:path';
import { packageRoot } from '../gateway/platform/package-root.ts';
import { type MigrationSet, readMigrations } from './kit/database/migrate.ts';

/**
 * Schemas, with the folders of their files, in the order of their migrations: a subgraph that reads the published view
 * of another stands after it (orders reads `catalogue.product_prices`, search what users and posts publish).
 * Orders and payments read a view of each other; neither does so before all migrations are done.
 */
const MIGRATION_ORDER: readonly (readonly [schema: string, directory: string])[] = [
  ['kit', 'kit/migrations'],
  ['users', 'users/migrations'],
  ['posts', 'posts/migrations'],
  ['catalogue', 'catalogue/migrations'],
  ['orders', 'orders/migrations'],
  ['payments', 'payments/migrations'],
  ['webhooks', 'webhooks/migrations'],
  ['legacy_shipping', 'shipping/legacy-backend/migrations'],
  ['search', 'search/migrations'],
];

/** The migrations of all reference subgraphs. */
export async function readAllMigrations(root: string = packageRoot): Promise<readonly MigrationSet[]> {
  return Promise.all(MIGRATION_ORDER.map(async ([schema, directory]) => readMigrations(schema, join(root, 'subgraphs', directory))));
}
