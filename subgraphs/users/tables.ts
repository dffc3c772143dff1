import { integer, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, instant } from '../kit/database/columns.ts';

export const users = pgSchema('users').table('users', {
  id: generatedId(),
  name: text().notNull(),
  email: text(),
  age: integer(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull().default(1),
  deletedAt: instant(),
});

export type UserRow = typeof users.$inferSelect;
