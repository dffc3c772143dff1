import { findTextProblems } from '../kit/writes/text-problems.ts';
import type { UserError } from '../kit/writes/user-errors.ts';

/** Fields of a user that a caller can set. */
export interface UserContent {
  readonly name: string;
  readonly email: string;
  readonly age: number | null;
}

/** A merge patch (RFC 7396): an absent field is unchanged; null clears a field, which only `age` allows. */
export interface UserPatch {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly age?: number | null;
}

const FIELDS = ['name', 'email', 'age'] as const;
const MAX_NAME_LENGTH = 100;
/** Maximum length of a mail address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL_LENGTH = 254;
const MAX_AGE = 150;

/** Matches plausible addresses: text before and after one `@`, a dot after it, and no characters that would break a mail header. */
const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\.]+(?:\.[^\s@<>(),;:"\\.]+)+$/u;

/** Validates the content of `argument`. Returns no entries when it is valid. */
export function findUserProblems({ name, email, age }: Partial<UserContent>, argument: string): readonly UserError[] {
  return [
    ...(name === undefined ? [] : findTextProblems(`${argument}.name`, name, MAX_NAME_LENGTH)),
    ...(email === undefined ? [] : findEmailProblems(`${argument}.email`, email)),
    ...(age === undefined || age === null || (age >= 0 && age <= MAX_AGE)
      ? []
      : [badInput(`${argument}.age`, `The age must be from 0 to ${MAX_AGE} years.`)]),
  ];
}

/** Whether the content `after` equals the content `before`. */
export function isSameUser(
  before: Readonly<Record<keyof UserContent, unknown>>,
  after: Readonly<Record<keyof UserContent, unknown>>,
): boolean {
  return FIELDS.every((field) => before[field] === after[field]);
}

function findEmailProblems(field: string, email: string): readonly UserError[] {
  if (email.length > MAX_EMAIL_LENGTH) return [badInput(field, `An e-mail address can have at most ${MAX_EMAIL_LENGTH} characters.`)];
  const problems = findTextProblems(field, email, MAX_EMAIL_LENGTH);
  return problems.length > 0 || EMAIL.test(email)
    ? problems
    : [badInput(field, 'The value is not a valid e-mail address; expected the form name@example.org.')];
}

/** Reads the fields that a patch sets, and the errors for fields that it sets to null. */
export function readUserPatch({ name, email, age }: UserPatch): {
  readonly changes: Partial<UserContent>;
  readonly problems: readonly UserError[];
} {
  const changes = { ...(name == null ? {} : { name }), ...(email == null ? {} : { email }), ...(age === undefined ? {} : { age }) };
  const nulls = [...(name === null ? ['patch.name'] : []), ...(email === null ? ['patch.email'] : [])];
  const problems = nulls.map((field) => badInput(field, 'This field cannot be null. Omit it to leave it unchanged.'));
  return { changes, problems: [...problems, ...findUserProblems(changes, 'patch')] };
}

function badInput(field: string, message: string): UserError {
  return { field, message, code: 'BAD_USER_INPUT' };
}
