import { boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, instant, money } from '../kit/database/columns.ts';

export const books = pgSchema('catalogue').table('books', {
  id: generatedId(),
  title: text().notNull(),
  author: text().notNull(),
  price: money().notNull(),
  inStock: boolean().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull(),
});

export type BookRow = typeof books.$inferSelect;
