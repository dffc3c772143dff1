import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import type { PersistedSection } from '../config/sections/persisted.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { type AutomaticDocuments, createAutomaticDocuments, createRegistrationQuota } from './automatic-documents.ts';
import { createMemoryDocumentStore, type DocumentStore } from './document-store.ts';
import { type FollowedManifests, followManifests } from './follow-manifests.ts';
import { createPersistedDocuments, type PersistedDocuments } from './persisted-documents.ts';
import { createSharedDocumentStore } from './shared-document-store.ts';

export interface PersistedDocumentsDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Redis that all gateways of the graph share. @defaultValue each gateway has its own store */
  readonly redis?: SharedRedis | undefined;
  /** Result of `openManifests`. */
  readonly manifests?: FollowedManifests | undefined;
}

/**
 * Opens the manifests that the section names; undefined if it names none.
 *
 * @throws ConfigurationInvalid when a manifest is missing or invalid, or when the mode requires manifests and none is named
 */
export function openManifests(section: PersistedSection, logger: Logger): FollowedManifests | undefined {
  checkManifestsOf(section);
  return Object.keys(section.manifests).length > 0 ? followManifests(section, logger) : undefined;
}

/** @throws ConfigurationInvalid when the mode requires manifests and none is named */
export function checkManifestsOf({ mode, manifests }: PersistedSection): void {
  if (mode === 'off' || Object.keys(manifests).length > 0) return;
  throw new ConfigurationInvalid([
    { path: 'persisted.mode', message: `"${mode}" requires manifests`, hint: 'Add them to persisted.manifests.' },
  ]);
}

/** Persisted documents whose mode can be reloaded. */
export interface ReloadableDocuments extends PersistedDocuments {
  /** Replaces the mode. Documents that clients have stored remain. */
  reload(mode: PersistedSection['mode']): void;
}

/** Creates the persisted documents from the section `persisted`. */
export function openPersistedDocuments(section: PersistedSection, dependencies: PersistedDocumentsDependencies): ReloadableDocuments {
  const { manifests, logger } = dependencies;
  const automatic = openAutomatic(section, dependencies);
  const create = (mode: PersistedSection['mode']): PersistedDocuments =>
    createPersistedDocuments({
      // Documents that must be in a manifest are already known by their hashes.
      automatic: mode === 'safelist' || mode === 'id-required' ? undefined : automatic,
      trusted: manifests === undefined ? undefined : { documents: manifests, mode, logger },
    });
  const documents: ReloadableDocuments = {
    ...create(section.mode),
    // The methods are replaced and not wrapped, so that a call costs the same as without reloading.
    reload: (mode) => void Object.assign(documents, create(mode)),
  };
  return documents;
}

/** Creates automatic persisted queries, unless they are disabled. */
function openAutomatic(section: PersistedSection, dependencies: PersistedDocumentsDependencies): AutomaticDocuments | undefined {
  const { automatic, maxDocumentBytes, registrationsPerMinute } = section;
  if (!automatic) return undefined;
  const store = openStore(section, dependencies);
  const quota = createRegistrationQuota(registrationsPerMinute, dependencies.clock);
  return createAutomaticDocuments({ store, quota, maxDocumentBytes });
}

function openStore(section: PersistedSection, { clock, redis }: PersistedDocumentsDependencies): DocumentStore {
  const memory = createMemoryDocumentStore(section, clock);
  if (redis === undefined) return memory;
  return createSharedDocumentStore({ memory, redis, maxEntries: section.maxSharedEntries, timeToLiveMs: section.timeToLiveMs });
}
