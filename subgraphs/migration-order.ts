import { join } from 'node:path';
import { packageRoot } from '../gateway/platform/package-root.ts';
import { type MigrationSet, readMigrations } from './kit/database/migrate.ts';

/**
 * Schemas, with the directories of their files, in the order of their migrations. A subgraph that reads the published view of another comes
 * after it (orders reads `catalogue.product_prices`, search reads the views of users and posts). Orders and payments read a view of each
 * other, but not before all migrations are complete.
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

/** Reads the migrations of all reference subgraphs. */
export async function readAllMigrations(root: string = packageRoot): Promise<readonly MigrationSet[]> {
  return Promise.all(MIGRATION_ORDER.map(async ([schema, directory]) => readMigrations(schema, join(root, 'subgraphs', directory))));
}
