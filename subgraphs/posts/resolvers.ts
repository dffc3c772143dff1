import type { GraphQLError } from 'graphql';
import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import { subscribeToTopic } from '../kit/events/subscribe-to-topic.ts';
import type { LoaderDefinition } from '../kit/loaders.ts';
import { newestRows, newestRowsOf } from '../kit/pagination/plain-list.ts';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { UserError } from '../kit/writes/user-errors.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import { COMMENT_ADDED, POST_CREATED, toCommentAdded, toPostCreated } from './post-events.ts';
import { commentList, commentsById, postList, postsByAuthor, postsById } from './post-lists.ts';
import { addComment, createPost } from './post-writes.ts';

export const resolvers: Resolvers = {
  DateTime: dateTimeScalar,
  Node: { __resolveType: (node) => ('title' in node ? 'Post' : 'Comment') },
  Query: {
    post: async (_root, { id }, { loaders }) => loaders.load(postsById, id),
    posts: (_root, args, context) => postList.list(context, args),
    allPosts: async (_root, args, context) => newestRows(context, postsByAuthor, args),
  },
  Mutation: {
    createPost: async (_root, { input: { title, body, tags }, idempotencyKey }, context) => {
      const { value, errors } = await createPost(context, { title, body, tags: tags ?? [] }, idempotencyKey);
      if (value === null) throw asError(errors);
      return value;
    },
    addComment: async (_root, { input, idempotencyKey }, context) => {
      const { value, errors } = await addComment(context, input, idempotencyKey);
      return { comment: value, errors };
    },
  },
  Subscription: {
    postCreated: {
      subscribe: (_root, _args, context) => subscribeToTopic(context, 'postCreated', { topic: POST_CREATED, toPayload: toPostCreated }),
    },
    commentAdded: {
      subscribe: (_root, { postId }, context) =>
        subscribeToTopic(context, 'commentAdded', {
          topic: COMMENT_ADDED,
          accepts: ({ payload }) => postId === null || postId === undefined || payload['postId'] === postId,
          toPayload: toCommentAdded,
        }),
    },
  },
  User: {
    __resolveReference: ({ id }) => ({ id }),
    posts: async ({ id }, args, context) => newestRowsOf(context, postsByAuthor, id, args),
  },
  Post: {
    __resolveReference: async ({ id }, { loaders }) => loaders.load(postsById, id),
    author: ({ authorId }) => ({ id: authorId }),
    comments: ({ id }, args, context) => commentList.listOf(context, id, args),
  },
  Comment: {
    __resolveReference: async ({ id }, { loaders }) => loaders.load(commentsById, id),
    author: ({ authorId }) => ({ id: authorId }),
    post: async ({ postId }, _args, context) => present(context, postsById, postId),
  },
  PostCreated: {
    post: async ({ postId }, _args, context) => present(context, postsById, postId),
  },
  CommentAdded: {
    comment: async ({ commentId }, _args, context) => present(context, commentsById, commentId),
  },
};

/** Makes one error for a field without a payload. Fields are named as in the input, which may be the body of a REST request. */
function asError(errors: readonly UserError[]): GraphQLError {
  const words = errors.map(({ field, message }) => `\`${field.replace(/^input\./, '')}\`: ${message}`);
  return clientError(errors[0]?.code ?? 'BAD_USER_INPUT', words.join(' '));
}

/** Loads a row that another row or an event refers to, and that is never removed. */
async function present<Row>({ loaders }: RequestContext, definition: LoaderDefinition<Row | null>, id: string): Promise<Row> {
  const row = await loaders.load(definition, id);
  if (row === null) throw new Error(`A row refers to ${id}, which does not exist.`);
  return row;
}
