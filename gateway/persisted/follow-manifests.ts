import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import type { PersistedSection } from '../config/sections/persisted.ts';
import type { Logger } from '../platform/logger.ts';
import { watchFile } from '../platform/watch-file.ts';
import { readManifest } from './read-manifest.ts';
import { indexDocuments, type TrustedDocument, type TrustedDocuments } from './trusted-documents.ts';

/** The documents of manifests, which may change. */
export interface FollowedManifests extends TrustedDocuments, AsyncDisposable {
  /** Called before documents that have changed are trusted. */
  onChange(check: (documents: readonly TrustedDocument[]) => Promise<void>): void;
}

/** Between two looks where the file system tells of no change. @unit milliseconds */
const INTERVAL_MS = 10_000;

/**
 * Reads the manifests now, and each whenever it changes. One that makes no sense leaves what was read of it before in its place.
 *
 * @throws ConfigurationInvalid when one cannot be read, or makes no sense, at first
 */
export function followManifests({ manifests, maxManifestBytes }: PersistedSection, logger: Logger): FollowedManifests {
  const checks: ((documents: readonly TrustedDocument[]) => Promise<void>)[] = [];
  const files = Object.entries(manifests);
  let read = new Map(files.map(([client, path]) => [client, readFirst(path, client)]));
  let index = indexFirst(read);
  let changes = Promise.resolve();

  async function adopt(client: string, path: string, text: string): Promise<void> {
    if (read.get(client)?.text === text) return;
    try {
      const manifest = { text, documents: readManifest(path, text, client) };
      const next = new Map(read).set(client, manifest);
      const nextIndex = indexAll(next);
      for (const check of checks) await check(manifest.documents);
      read = next;
      index = nextIndex;
      logger.info({ client, path, documents: manifest.documents.length }, 'A manifest was read again.');
    } catch (error) {
      logger.error({ err: error, client, path }, 'A manifest makes no sense; what was read of it before stays.');
    }
  }

  const watching = files.map(([client, path]) =>
    watchFile({
      path,
      subject: 'The manifest',
      intervalMs: INTERVAL_MS,
      maxBytes: maxManifestBytes,
      onText: (text) => {
        changes = changes.then(() => adopt(client, path, text));
      },
      onFailure: (error) => logger.error({ err: error, client }, 'A manifest cannot be read; what was read of it before stays.'),
    }),
  );
  return {
    textOf: (id) => index.textOf(id),
    has: (text) => index.has(text),
    all: () => index.all(),
    onChange: (check) => void checks.push(check),
    async [Symbol.asyncDispose]() {
      for (const file of watching) await file[Symbol.asyncDispose]();
      await changes;
    },
  };
}

interface ReadManifest {
  readonly text: string;
  readonly documents: readonly TrustedDocument[];
}

function readFirst(path: string, client: string): ReadManifest {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, documents: readManifest(path, text, client) };
  } catch (cause) {
    throw new ConfigurationInvalid([{ path: `persisted.manifests.${client}`, message: `${path}: ${(cause as Error).message}` }]);
  }
}

function indexAll(manifests: ReadonlyMap<string, ReadManifest>): TrustedDocuments {
  return indexDocuments([...manifests.values()].flatMap(({ documents }) => documents));
}

function indexFirst(manifests: ReadonlyMap<string, ReadManifest>): TrustedDocuments {
  try {
    return indexAll(manifests);
  } catch (cause) {
    throw new ConfigurationInvalid([{ path: 'persisted.manifests', message: (cause as Error).message }]);
  }
}
