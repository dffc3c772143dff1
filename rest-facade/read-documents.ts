import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ConfigurationInvalid } from '../gateway/index.ts';
import { describeFileFailure, systemErrorCode } from '../gateway/platform/file-errors.ts';
import type { RestDocument } from './compile/documents/parse-documents.ts';

/** Setting that names a directory of documents. */
type DirectorySetting = 'rest.documents' | 'rest.webhooks';

/**
 * Reads all `.graphql` files in a directory and its subdirectories, sorted by path.
 *
 * @param setting setting to which messages refer
 * @throws ConfigurationInvalid with the path and the reason if the directory or a file cannot be read
 */
export function readRestDocuments(directory: string, setting: DirectorySetting = 'rest.documents'): readonly RestDocument[] {
  const list = (): readonly string[] => readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = attempt(list, `the directory ${directory}`, setting).filter((file) => file.endsWith('.graphql'));
  return files.toSorted().map((file) => {
    const path = join(directory, file);
    return { path: relative(process.cwd(), path), text: attempt(() => readFileSync(path, 'utf8'), `the file ${path}`, setting) };
  });
}

function attempt<Content>(read: () => Content, subject: string, setting: DirectorySetting): Content {
  try {
    return read();
  } catch (cause) {
    const code = systemErrorCode(cause) ?? 'unknown error';
    const reason = code === 'ENOENT' ? 'it does not exist' : (describeFileFailure(cause) ?? String(cause));
    const hint = HINTS[setting];
    throw new ConfigurationInvalid([{ path: setting, message: `${subject} cannot be read (${code}): ${reason}`, hint }]);
  }
}

const HINTS: Readonly<Record<DirectorySetting, string>> = {
  'rest.documents': 'Set the directory of the REST documents. `gatefold rest init` writes first documents for a supergraph.',
  'rest.webhooks': 'Set the directory of the webhook documents, or remove the setting.',
};
