import type { PersistedSection } from '../config/sections/persisted.ts';
import type { Clock } from '../platform/clock.ts';
import { createAutomaticDocuments } from './automatic-documents.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { createPersistedDocuments, type PersistedDocuments } from './persisted-documents.ts';
import { createRegistrationQuota } from './registration-quota.ts';

/** Puts together what the section `persisted` asks for. */
export function openPersistedDocuments(section: PersistedSection, clock: Clock): PersistedDocuments {
  const { automatic, maxDocumentBytes, registrationsPerMinute } = section;
  if (!automatic) return createPersistedDocuments({});
  const store = createMemoryDocumentStore(section, clock);
  const quota = createRegistrationQuota(registrationsPerMinute, clock);
  return createPersistedDocuments({ automatic: createAutomaticDocuments({ store, quota, maxDocumentBytes }) });
}
