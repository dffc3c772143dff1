import { isStorable } from '../storable-text.ts';
import type { UserError } from './user-errors.ts';

/** What is wrong with a text sent as `field`; empty when nothing is. Characters are counted as the database counts them. */
export function findTextProblems(field: string, text: string, maxCharacters: number): readonly UserError[] {
  if (!isStorable(text)) return [{ field, message: 'It holds a character that cannot be stored.', code: 'BAD_USER_INPUT' }];
  if (text.trim() !== '' && Array.from(text).length <= maxCharacters) return [];
  return [{ field, message: `Give 1 to ${maxCharacters} characters, not only white space.`, code: 'BAD_USER_INPUT' }];
}
