import { readFileSync } from 'node:fs';
import { describeFileFailure } from './file-errors.ts';

/** Suffix of a variable that names a file with the value, instead of containing the value: `REDIS_URL_FILE` for `REDIS_URL`. */
export const SECRET_FILE_SUFFIX = '_FILE';

/**
 * Reads a secret that a container engine mounts as a file. Removes line breaks at the end, which editors and `echo` add.
 *
 * @throws Error that describes why the file cannot be used, without naming it
 */
export function readSecretFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(describeFileFailure(cause) ?? (cause as Error).message, { cause });
  }
  const value = text.replace(/[\r\n]+$/, '');
  if (value === '') throw new Error('it is empty. Write the value into it');
  return value;
}

/**
 * Replaces the variables `<name>_FILE` by `<name>` with the content of the file.
 *
 * @throws Error that names the variable when its file cannot be used, and when a value is set both ways
 */
export function withSecretFiles(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const values: Record<string, string | undefined> = { ...environment };
  for (const name of names) {
    const variable = `${name}${SECRET_FILE_SUFFIX}`;
    const file = environment[variable] ?? '';
    if (file === '') continue;
    if ((environment[name] ?? '') !== '') throw new Error(`Set either ${name} or ${variable}, not both.`);
    try {
      values[name] = readSecretFile(file);
    } catch (cause) {
      throw new Error(`${variable} names the file ${file}, which cannot be used: ${(cause as Error).message}.`, { cause });
    }
  }
  return values;
}
