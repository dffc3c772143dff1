import type { Generations } from './generation/generations.ts';
import { checkDocuments } from './persisted/trusted-documents.ts';
import type { FollowedManifests } from './persisted/follow-manifests.ts';
import type { Logger } from './platform/logger.ts';

/** Holds trusted documents against each supergraph before it is served, and those that change against the one that is served. */
export function checkTrustedDocuments(manifests: FollowedManifests, generations: Generations, logger: Logger): void {
  generations.onGeneration((view) => checkDocuments(manifests.all(), { prepare: (text) => view.prepare(text), logger }));
  manifests.onChange(async (documents) => {
    if (generations.report().current === undefined) return;
    using pin = generations.pin();
    await checkDocuments(documents, { prepare: (text) => pin.generation.prepare(text), logger });
  });
}
