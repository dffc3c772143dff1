import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { ownerOrAdmin } from '../kit/access-rules.ts';
import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { WriteResult } from '../kit/writes/perform-write.ts';
import type { UserError } from '../kit/writes/user-errors.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import type { UserParent } from './parents.ts';
import type { UserRow } from './tables.ts';
import { userList, usersById } from './user-lists.ts';
import { createUser, deleteUser, updateUser } from './user-writes.ts';

export const resolvers: Resolvers = {
  DateTime: dateTimeScalar,
  Node: { __resolveType: () => 'User' },
  Query: {
    user: async (_root, { id }, context) => existingUser(context, id),
    me: async (_root, _args, context) => {
      const id = ownerIdOf(context.principal);
      return id === undefined ? null : existingUser(context, id);
    },
    users: (_root, args, context) => userList.list(context, args),
  },
  Mutation: {
    createUser: async (_root, { input, idempotencyKey }, context) =>
      toCreatedPayload(await createUser(context, { name: input.name, email: input.email, age: input.age ?? null }, idempotencyKey)),
    updateUser: async (_root, { id, expectedVersion, patch }, context) =>
      toPayload(await updateUser(context, { id, expectedVersion }, patch)),
    deleteUser: async (_root, { id, expectedVersion }, context) => toPayload(await deleteUser(context, { id, expectedVersion })),
  },
  User: {
    // A removed user is resolved as a tombstone, because posts, comments and orders refer to it.
    __resolveReference: async ({ id }, { loaders }) => loaders.load(usersById, id),
    isActive: ({ deletedAt }) => deletedAt === null,
    email: (user, _args, context) => {
      checkPersonalAccess(context, user);
      return user.email;
    },
    age: (user, _args, context) => {
      checkPersonalAccess(context, user);
      return user.age;
    },
  },
};

async function existingUser({ loaders }: RequestContext, id: string): Promise<UserRow | null> {
  const user = await loaders.load(usersById, id);
  return user?.deletedAt === null ? user : null;
}

/** @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN` */
function checkPersonalAccess(context: RequestContext, { id, isCreatedByCaller = false }: UserParent): void {
  if (!isCreatedByCaller) ownerOrAdmin(context, id);
}

interface UserPayload {
  readonly user: UserParent | null;
  readonly errors: readonly UserError[];
}

/**
 * Marks a copy of the row, so that reads of the same user elsewhere in the operation are still checked. A replay returns the created user
 * in its original state.
 */
function toCreatedPayload({ value, errors }: WriteResult<UserRow>): UserPayload {
  return { user: value && { ...value, isCreatedByCaller: true }, errors };
}

function toPayload({ value, errors }: WriteResult<UserRow>): UserPayload {
  return { user: value, errors };
}
