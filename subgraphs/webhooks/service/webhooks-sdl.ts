import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Entity of the supergraph whose objects own webhooks. */
export interface OwnerEntity {
  /** Name of the type. */
  readonly type: string;
  /** Field of its key with the id of the caller. */
  readonly key: string;
}

/** SDL of the service, without an owner entity. */
const SDL_FILE = join(packageRoot, 'subgraphs/webhooks/webhooks.graphql');

const OWNER_ID = '  ownerId: ID!\n';

/**
 * Returns the SDL of the webhook service. With an owner entity, `Webhook` also has the field `owner`, so that operations can read the
 * fields that other subgraphs contribute to the entity.
 */
export async function readWebhooksSdl(owner?: OwnerEntity): Promise<string> {
  const sdl = await readFile(SDL_FILE, 'utf8');
  if (owner === undefined) return sdl;
  const { type, key } = owner;
  const entity = `type ${type} @key(fields: "${key}", resolvable: false) {\n  ${key}: ID!\n}\n`;
  return `${sdl.replace(OWNER_ID, `${OWNER_ID}  owner: ${type}!\n`)}\n${entity}`;
}
