import { findEntries } from './find-entries.ts';
import type { Resolvers } from './generated/resolver-types.ts';

export const resolvers: Resolvers = {
  Query: {
    search: async (_root, args, { database }) => findEntries(database.sql, args),
  },
};
