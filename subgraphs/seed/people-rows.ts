import { FAMILY_NAMES, GIVEN_NAMES, MAIL_HOSTS, TITLE_PREFIXES, REMARKS, SENTENCES, SUBJECTS, TAGS } from './people-words.ts';
import { type RandomSource, createRandomSource } from './random-source.ts';
import { instantOf, registrationOf, usersRegisteredAt } from './timeline.ts';

interface Stamps {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

export interface UserRow extends Stamps {
  readonly name: string;
  readonly email: string;
  readonly age: number | null;
}

export interface PostRow extends Stamps {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly author_id: number;
}

export interface CommentRow extends Stamps {
  readonly post_id: number;
  readonly author_id: number;
  readonly body: string;
}

/** Rows of users, posts and comments, with the names of the columns. */
export interface PeopleRows {
  readonly users: readonly UserRow[];
  readonly posts: readonly PostRow[];
  readonly comments: readonly CommentRow[];
}

export interface PeopleSize {
  /** @defaultValue 200 */
  readonly users?: number;
  /** @defaultValue 1000 */
  readonly posts?: number;
  /** @defaultValue 3000 */
  readonly comments?: number;
}

/** Interval of posts of the first user, so that this user always has some. */
const FIRST_USERS_SHARE = 60;

/** Offset of the comments, so that the first comment comes after the first post. */
const COMMENT_LAG = 3;

/** Creates users, posts and comments of the reference graph. The same size always results in the same rows. */
export function createPeopleRows({ users = 200, posts = 1_000, comments = 3_000 }: PeopleSize = {}): PeopleRows {
  const random = createRandomSource(20_261_001);
  return {
    users: createUsers(random, users),
    posts: createPosts(random, posts, users),
    comments: createComments(random, comments, { users, posts }),
  };
}

function createUsers(random: RandomSource, count: number): readonly UserRow[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const name = unusedName(random, taken);
    const mailbox = name
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{Mark}/gu, '')
      .replaceAll(' ', '.');
    return {
      id: index + 1,
      name,
      email: `${mailbox}@${random.pick(MAIL_HOSTS)}`,
      age: random.chance(0.85) ? random.integer(18, 84) : null,
      ...stamps(registrationOf(index + 1, count)),
    };
  });
}

/** Selects a unique name, so that the e-mail addresses are unique too. */
function unusedName(random: RandomSource, taken: Set<string>): string {
  for (;;) {
    const name = `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function createPosts(random: RandomSource, count: number, users: number): readonly PostRow[] {
  return Array.from({ length: count }, (_, index) => {
    const instant = instantOf(index + 0.5, count);
    return {
      id: index + 1,
      title: `${random.pick(TITLE_PREFIXES)} ${random.pick(SUBJECTS)}`,
      body: Array.from({ length: random.integer(1, 3) }, () => sentences(random, SENTENCES, random.integer(2, 5))).join('\n\n'),
      tags: pickSome(random, TAGS, random.integer(0, 4)),
      author_id: index % FIRST_USERS_SHARE === 0 ? 1 : random.integer(1, usersRegisteredAt(instant, users)),
      ...stamps(instant),
    };
  });
}

function createComments(random: RandomSource, count: number, { users, posts }: { users: number; posts: number }): readonly CommentRow[] {
  return Array.from({ length: count }, (_, index) => {
    const instant = instantOf(index + COMMENT_LAG, count + COMMENT_LAG);
    // Posts are ordered by time. The newest ones get the most comments.
    const newest = Math.max(1, Math.floor(((index + COMMENT_LAG) / (count + COMMENT_LAG)) * posts + 0.5));
    const recent = random.chance(0.7) ? Math.max(1, newest - 40) : 1;
    return {
      id: index + 1,
      post_id: random.integer(recent, newest),
      author_id: random.integer(1, usersRegisteredAt(instant, users)),
      body: sentences(random, REMARKS, random.integer(1, 3)),
      ...stamps(instant),
    };
  });
}

function sentences(random: RandomSource, patterns: readonly [string, ...string[]], count: number): string {
  return pickSome(random, patterns, count)
    .map((pattern) => pattern.replace('{subject}', random.pick(SUBJECTS)).replace('{tag}', random.pick(TAGS)))
    .join(' ');
}

/** Selects a number of different values. */
function pickSome<Value>(random: RandomSource, values: readonly [Value, ...Value[]], count: number): readonly Value[] {
  const picked = new Set<Value>();
  while (picked.size < Math.min(count, values.length)) picked.add(random.pick(values));
  return [...picked];
}

function stamps(instantMs: number): Omit<Stamps, 'id'> {
  const at = new Date(instantMs).toISOString();
  return { created_at: at, updated_at: at, version: 1 };
}
