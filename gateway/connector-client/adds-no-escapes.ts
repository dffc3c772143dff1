import { SURROGATE } from '../platform/surrogates.ts';

/** Methods whose results contain characters that their inputs do not contain. */
const ADDING: ReadonlySet<unknown> = new Set(['jsonStringify', 'jsonParse']);

/**
 * Whether the strings of a mapped value consist only of parts of the mapped data and of characters that JSON need not escape. A variable
 * other than `$status` can have a value of the client.
 *
 * @param value node of a mapping, or a value inside it
 */
export function addsNoEscapes(value: unknown): boolean {
  if (typeof value === 'string') return JSON.stringify(value) === `"${value}"` && !SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown };
  if (kind === 'variable' && name !== '$status') return false;
  if (kind === 'method' && ADDING.has(name)) return false;
  return Object.values(value).every(addsNoEscapes);
}
