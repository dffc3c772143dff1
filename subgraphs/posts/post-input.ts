import { findTextProblems } from '../kit/writes/text-problems.ts';
import type { UserError } from '../kit/writes/user-errors.ts';

/** Content of a post. */
export interface PostContent {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
}

const MAX_TITLE_LENGTH = 200;
const MAX_POST_LENGTH = 20_000;
const MAX_COMMENT_LENGTH = 2_000;
const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 40;

/** Validates a post. Returns no entries when it is valid. */
export function findPostProblems({ title, body, tags }: PostContent): readonly UserError[] {
  return [
    ...findTextProblems('input.title', title, MAX_TITLE_LENGTH),
    ...findTextProblems('input.body', body, MAX_POST_LENGTH),
    ...(tags.length > MAX_TAGS ? [tooManyTags()] : tags.flatMap((tag) => findTextProblems('input.tags', tag, MAX_TAG_LENGTH))),
  ];
}

/** Validates the text of a comment. Returns no entries when it is valid. */
export function findCommentProblems(body: string): readonly UserError[] {
  return findTextProblems('input.body', body, MAX_COMMENT_LENGTH);
}

function tooManyTags(): UserError {
  return { field: 'input.tags', message: `A post can have at most ${MAX_TAGS} tags.`, code: 'BAD_USER_INPUT' };
}
