import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import { followConfiguredFile } from '../config/follow-configured-file.ts';
import type { PersistedSection } from '../config/sections/persisted.ts';
import type { Logger } from '../platform/logger.ts';
import { readManifest } from './read-manifest.ts';
import { indexDocuments, type TrustedDocument, type TrustedDocuments } from './trusted-documents.ts';

/** Documents of manifests that are reloaded when they change. */
export interface FollowedManifests extends TrustedDocuments, AsyncDisposable {
  /** Registers a check that runs before changed documents are trusted. */
  onChange(check: (documents: readonly TrustedDocument[]) => Promise<void>): void;
}

/** Polling interval for file systems that report no changes. @unit milliseconds */
const INTERVAL_MS = 10_000;

/**
 * Reads the manifests, and reloads each one when it changes. If a new version is invalid, the previous one remains in use.
 *
 * @throws ConfigurationInvalid when a manifest cannot be read or parsed at startup
 */
export function followManifests({ manifests, maxManifestBytes }: PersistedSection, logger: Logger): FollowedManifests {
  const checks: ((documents: readonly TrustedDocument[]) => Promise<void>)[] = [];
  const files: AsyncDisposable[] = [];
  const close = async (): Promise<void> => void (await Promise.all(files.map((file) => file[Symbol.asyncDispose]())));
  let read: ReadManifests = new Map();
  let index = indexAll(read);
  let changes = Promise.resolve();

  function open(client: string, path: string): readonly TrustedDocument[] {
    const file = followConfiguredFile({
      path,
      setting: `persisted.manifests.${client}`,
      intervalMs: INTERVAL_MS,
      maxBytes: maxManifestBytes,
      parse: (text) => readManifest(path, text, client),
      adopt: (documents) => inTurn(() => adopt(client, documents)),
      logger,
    });
    files.push(file);
    return file.content;
  }

  /** Serializes changes, so that each is checked against the current state of the other manifests. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const turn = changes.then(change);
    changes = turn.catch(() => undefined);
    return turn;
  }

  async function adopt(client: string, documents: readonly TrustedDocument[]): Promise<void> {
    const next = new Map(read).set(client, documents);
    const nextIndex = indexAll(next);
    for (const check of checks) await check(documents);
    read = next;
    index = nextIndex;
  }

  try {
    read = new Map(Object.entries(manifests).map(([client, path]) => [client, open(client, path)]));
    index = indexFirst(read);
  } catch (error) {
    void close();
    throw error;
  }
  return {
    textOf: (id) => index.textOf(id),
    has: (text) => index.has(text),
    all: () => index.all(),
    onChange: (check) => void checks.push(check),
    [Symbol.asyncDispose]: close,
  };
}

type ReadManifests = ReadonlyMap<string, readonly TrustedDocument[]>;

function indexAll(manifests: ReadManifests): TrustedDocuments {
  return indexDocuments([...manifests.values()].flat());
}

function indexFirst(manifests: ReadManifests): TrustedDocuments {
  try {
    return indexAll(manifests);
  } catch (cause) {
    throw new ConfigurationInvalid([{ path: 'persisted.manifests', message: (cause as Error).message }]);
  }
}
