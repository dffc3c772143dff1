import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RestDocument } from './compile/documents/parse-documents.ts';

/**
 * Reads all `.graphql` files in a directory and its subdirectories, sorted by path.
 *
 * @throws Error with the name of the directory if it cannot be read
 */
export function readRestDocuments(directory: string): readonly RestDocument[] {
  const files = listFiles(directory).filter((file) => file.endsWith('.graphql'));
  return files
    .toSorted()
    .map((file) => ({ path: relative(process.cwd(), join(directory, file)), text: readFileSync(join(directory, file), 'utf8') }));
}

function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch (cause) {
    throw new Error(`The directory of the REST documents cannot be read: ${directory}. Check the path and its permissions.`, { cause });
  }
}
