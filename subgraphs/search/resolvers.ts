import { findEntries } from './find-entries.ts';
import { findNode } from './find-node.ts';
import type { Resolvers } from './generated/resolver-types.ts';

export const resolvers: Resolvers = {
  Query: {
    node: async (_root, { id }, context) => findNode(context, id),
    search: async (_root, args, { database }) => findEntries(database.sql, args),
  },
};
