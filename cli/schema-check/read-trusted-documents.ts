import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Kind, parse } from 'graphql';
import { readManifest } from '../../gateway/persisted/read-manifest.ts';
import { CommandFailed } from '../command-failed.ts';
import type { UsingDocument } from './schema-user.ts';

/** A manifest of trusted documents, and the client for documents whose manifest does not name one. */
export interface ManifestFile {
  readonly client: string;
  readonly file: string;
}

/** Parses `client=file`, or a file whose name without its extension is the client. */
export function parseManifestOption(text: string): ManifestFile {
  const [, client, file] = /^([^=/\\]+)=(.+)$/.exec(text) ?? [];
  return client !== undefined && file !== undefined ? { client, file } : { client: basename(text, extname(text)), file: text };
}

/**
 * Reads the documents of manifests. Documents with syntax errors are omitted, because they were invalid before.
 *
 * @throws CommandFailed if a manifest cannot be read or parsed
 */
export async function readTrustedDocuments(manifests: readonly ManifestFile[]): Promise<readonly UsingDocument[]> {
  const read = await Promise.all(manifests.map(readOne));
  return read.flat();
}

async function readOne({ client: defaultClient, file }: ManifestFile): Promise<readonly UsingDocument[]> {
  let documents: ReturnType<typeof readManifest>;
  try {
    documents = readManifest(file, await readFile(file, 'utf8'), defaultClient);
  } catch (cause) {
    throw new CommandFailed(`The manifest ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return documents.flatMap(({ id, text, client }): readonly UsingDocument[] => {
    const document = parseOrSkip(text);
    if (document === undefined) return [];
    const names = document.definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? (node.name?.value ?? []) : []));
    return [{ user: { kind: 'document', client, id, operation: names.length === 0 ? null : names.join(', '), file }, document }];
  });
}

function parseOrSkip(text: string) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
