import { findTextProblems } from '../kit/writes/text-problems.ts';
import type { UserError } from '../kit/writes/user-errors.ts';

/** What a caller may set of a user. */
export interface UserContent {
  readonly name: string;
  readonly email: string;
  readonly age: number | null;
}

/** A merge patch (RFC 7396): absent keeps; null clears, which only the age allows. */
export interface UserPatch {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly age?: number | null;
}

const FIELDS = ['name', 'email', 'age'] as const;
const MAX_NAME_LENGTH = 100;
/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL_LENGTH = 254;
const MAX_AGE = 150;

/** Not a grammar: something before and after one `@`, a dot behind it, nothing that would break a mail header. */
const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\.]+(?:\.[^\s@<>(),;:"\\.]+)+$/u;

/** What is wrong with the content sent under `argument`; empty when nothing is. */
export function findUserProblems({ name, email, age }: Partial<UserContent>, argument: string): readonly UserError[] {
  return [
    ...(name === undefined ? [] : findTextProblems(`${argument}.name`, name, MAX_NAME_LENGTH)),
    ...(email === undefined ? [] : findEmailProblems(`${argument}.email`, email)),
    ...(age === undefined || age === null || (age >= 0 && age <= MAX_AGE)
      ? []
      : [badInput(`${argument}.age`, `Give an age of 0 to ${MAX_AGE} years.`)]),
  ];
}

/** Whether writing `after` over `before` would change nothing. */
export function isSameUser(
  before: Readonly<Record<keyof UserContent, unknown>>,
  after: Readonly<Record<keyof UserContent, unknown>>,
): boolean {
  return FIELDS.every((field) => before[field] === after[field]);
}

function findEmailProblems(field: string, email: string): readonly UserError[] {
  if (email.length > MAX_EMAIL_LENGTH) return [badInput(field, `An e-mail address has at most ${MAX_EMAIL_LENGTH} characters.`)];
  const problems = findTextProblems(field, email, MAX_EMAIL_LENGTH);
  return problems.length > 0 || EMAIL.test(email) ? problems : [badInput(field, 'Give an e-mail address like name@example.org.')];
}

/** The fields that a patch names, or the problems of those it sets to null. */
export function readUserPatch({ name, email, age }: UserPatch): {
  readonly changes: Partial<UserContent>;
  readonly problems: readonly UserError[];
} {
  const changes = { ...(name == null ? {} : { name }), ...(email == null ? {} : { email }), ...(age === undefined ? {} : { age }) };
  const nulls = [...(name === null ? ['patch.name'] : []), ...(email === null ? ['patch.email'] : [])];
  const problems = nulls.map((field) => badInput(field, 'It cannot be null: leave it out to keep it.'));
  return { changes, problems: [...problems, ...findUserProblems(changes, 'patch')] };
}

function badInput(field: string, message: string): UserError {
  return { field, message, code: 'BAD_USER_INPUT' };
}
