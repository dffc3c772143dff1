import { integer, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, id, instant } from '../kit/database/columns.ts';

const schema = pgSchema('posts');

export const posts = schema.table('posts', {
  id: generatedId(),
  title: text().notNull(),
  body: text().notNull(),
  tags: text().array().notNull(),
  authorId: id().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull().default(1),
});

export const comments = schema.table('comments', {
  id: generatedId(),
  postId: id().notNull(),
  authorId: id().notNull(),
  body: text().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull().default(1),
});

export type PostRow = typeof posts.$inferSelect;
export type CommentRow = typeof comments.$inferSelect;
