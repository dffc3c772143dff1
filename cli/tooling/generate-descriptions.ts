import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { restSection } from '../../rest-facade/config.ts';
import { describeDocuments, readRestDocuments } from '../../rest-facade/index.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Authentication schemes of the reference graph, all of which are described. */
const CHALLENGES = 'Bearer, Basic, ApiKey';

/** Generates `schema/openapi.v<N>.yaml` from the reference documents, with default settings. */
export function generateDescriptions(root: string = packageRoot): readonly GeneratedFile[] {
  const { schema } = loadSupergraph(readFileSync(join(root, 'schema/supergraph.graphql'), 'utf8'));
  const documents = readRestDocuments(join(root, 'schema/rest'));
  const webhooks = readRestDocuments(join(root, 'schema/webhooks'));
  const descriptions = describeDocuments(documents, {
    schema,
    challenges: CHALLENGES,
    webhooks,
    describesHealth: true,
    settings: restSection.parse({}),
  });
  return [...descriptions].map(([version, text]) => ({ path: join(root, `schema/openapi.v${version}.yaml`), text }));
}
