import { isStorable } from '../storable-text.ts';
import type { UserError } from './user-errors.ts';

/** Validates the text of `field`. Returns no entries when it is valid. Characters are counted as in the database. */
export function findTextProblems(field: string, text: string, maxCharacters: number): readonly UserError[] {
  if (!isStorable(text)) return [{ field, message: 'The text contains a character that cannot be stored.', code: 'BAD_USER_INPUT' }];
  if (text.trim() !== '' && Array.from(text).length <= maxCharacters) return [];
  return [{ field, message: `The text must have 1 to ${maxCharacters} characters, and not only white space.`, code: 'BAD_USER_INPUT' }];
}
