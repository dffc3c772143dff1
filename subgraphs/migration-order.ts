import { join } from 'node:path';
import { packageRoot } from '../gateway/platform/package-root.ts';
import { type MigrationSet, readMigrations } from './kit/database/migrate.ts';

/**
 * Schemas in the order of their migrations: a subgraph that reads the published view of another stands after it
 * (orders reads `catalogue.product_prices`, payments the orders, search what users and posts publish).
 */
const MIGRATION_ORDER = ['kit', 'users', 'posts', 'catalogue', 'orders', 'payments', 'search'] as const;

/** The migrations of all reference subgraphs. */
export async function readAllMigrations(root: string = packageRoot): Promise<readonly MigrationSet[]> {
  return Promise.all(MIGRATION_ORDER.map(async (schema) => readMigrations(schema, join(root, 'subgraphs', schema, 'migrations'))));
}
