import { sql as raw } from 'drizzle-orm';
import type { Sql } from '../kit/database/database.ts';
import { isRowId } from '../kit/ids.ts';
import { escapeLike } from '../kit/like-pattern.ts';
import { readFirst } from '../kit/pagination/page-arguments.ts';
import { clientError } from '../kit/client-error.ts';
import { isStorable } from '../kit/storable-text.ts';

/** A reference to a search result. */
export type FoundEntry = { readonly __typename: 'User' | 'Post' | 'Comment'; readonly id: string };

export interface SearchArguments {
  readonly term: string;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

const MAX_TERM_LENGTH = 100;

/**
 * Finds entries that contain the term in title or body, best matches first: the title equals the term, starts with it, has a word that
 * starts with it, or contains it; then matches in the body. Equal matches are ordered by type and id.
 *
 * @throws GraphQLError `BAD_USER_INPUT`
 */
export async function findEntries(sql: Sql, { term, first, after }: SearchArguments): Promise<readonly FoundEntry[]> {
  const size = readFirst(first);
  const words = readTerm(term);
  const start = after === null || after === undefined ? undefined : readAfter(after);
  const pattern = escapeLike(words);
  const behind =
    start && raw`where (place, type, id) > (select place, type, id from matches where type = ${start.type} and id = ${start.id}::bigint)`;
  const { rows } = await sql.execute<{ type: FoundEntry['__typename']; id: string }>(raw`
    with matches as materialized (
      select type, id, case
        when lower(title) = lower(${words}) then 0
        when title ilike ${`${pattern}%`} then 1
        when title ilike ${`% ${pattern}%`} then 2
        when title ilike ${`%${pattern}%`} then 3
        else 4
      end as place
      from search.entries
      where title ilike ${`%${pattern}%`} or body ilike ${`%${pattern}%`}
    )
    select type, id::text as id from matches ${behind} order by place, matches.type, matches.id limit ${size}`);
  return rows.map(({ type, id }) => ({ __typename: type, id }));
}

function readTerm(term: string): string {
  const words = term.trim();
  if (words === '' || Array.from(words).length > MAX_TERM_LENGTH || !isStorable(words)) {
    throw clientError('BAD_USER_INPUT', `\`term\` must have 1 to ${MAX_TERM_LENGTH} characters.`);
  }
  return words;
}

function readAfter(after: string): { readonly type: string; readonly id: string } {
  const [, type, id] = /^(User|Post|Comment):(\d{1,19})$/.exec(after) ?? [];
  if (type === undefined || id === undefined || !isRowId(id)) {
    throw clientError('BAD_USER_INPUT', '`after` must be type and id of the last result of the previous page, such as `Post:12`.');
  }
  return { type, id };
}
