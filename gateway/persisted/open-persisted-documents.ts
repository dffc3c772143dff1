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
  const { mode, manifests } = section;
  if (Object.keys(manifests).length > 0) return followManifests(section, logger);
  if (mode === 'off') return undefined;
  throw new ConfigurationInvalid([
    { path: 'persisted.mode', message: `"${mode}" requires manifests`, hint: 'Add them to persisted.manifests.' },
  ]);
}

/** Creates the persisted documents from the section `persisted`. */
export function openPersistedDocuments(section: PersistedSection, dependencies: PersistedDocumentsDependencies): PersistedDocuments {
  const { manifests, logger } = dependencies;
  return createPersistedDocuments({
    automatic: openAutomatic(section, dependencies),
    trusted: manifests === undefined ? undefined : { documents: manifests, mode: section.mode, logger },
  });
}

/**
 * Creates automatic persisted queries. They are disabled if documents must be in a manifest, because those are already known by their
 * hashes.
 */
function openAutomatic(section: PersistedSection, dependencies: PersistedDocumentsDependencies): AutomaticDocuments | undefined {
  const { automatic, mode, maxDocumentBytes, registrationsPerMinute } = section;
  if (!automatic || mode === 'safelist' || mode === 'id-required') return undefined;
  const store = openStore(section, dependencies);
  const quota = createRegistrationQuota(registrationsPerMinute, dependencies.clock);
  return createAutomaticDocuments({ store, quota, maxDocumentBytes });
}

function openStore(section: PersistedSection, { clock, redis }: PersistedDocumentsDependencies): DocumentStore {
  const memory = createMemoryDocumentStore(section, clock);
  if (redis === undefined) return memory;
  return createSharedDocumentStore({ memory, redis, maxEntries: section.maxSharedEntries, timeToLiveMs: section.timeToLiveMs });
}
