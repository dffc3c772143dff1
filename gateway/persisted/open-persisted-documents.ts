import type { PersistedSection } from '../config/sections/persisted.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { createAutomaticDocuments } from './automatic-documents.ts';
import type { DocumentStore } from './document-store.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { createPersistedDocuments, type PersistedDocuments } from './persisted-documents.ts';
import { createRegistrationQuota } from './registration-quota.ts';
import { createSharedDocumentStore } from './shared-document-store.ts';

export interface PersistedDocumentsDependencies {
  readonly clock: Clock;
  /** What gateways of one graph share. @defaultValue each has its own */
  readonly redis?: SharedRedis | undefined;
}

/** Puts together what the section `persisted` asks for. */
export function openPersistedDocuments(section: PersistedSection, dependencies: PersistedDocumentsDependencies): PersistedDocuments {
  const { automatic, maxDocumentBytes, registrationsPerMinute } = section;
  if (!automatic) return createPersistedDocuments({});
  const store = openStore(section, dependencies);
  const quota = createRegistrationQuota(registrationsPerMinute, dependencies.clock);
  return createPersistedDocuments({ automatic: createAutomaticDocuments({ store, quota, maxDocumentBytes }) });
}

function openStore(section: PersistedSection, { clock, redis }: PersistedDocumentsDependencies): DocumentStore {
  const memory = createMemoryDocumentStore(section, clock);
  if (redis === undefined) return memory;
  return createSharedDocumentStore({ memory, redis, maxEntries: section.maxSharedEntries, timeToLiveMs: section.timeToLiveMs });
}
