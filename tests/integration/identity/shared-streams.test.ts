import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { startFakeStreamSubgraph } from '../../unit/gateway/subgraph-client/streams/fake-stream-subgraph.ts';

const SDL = 'type Query { now: Int } type Subscription { changed: Int }';
const DEVELOPMENT_KEY = 'd'.repeat(43);

let directory: string;
let privateKeyFile: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-streams-'));
  privateKeyFile = join(directory, 'identity.pem');
  await writeFile(privateKeyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
});
afterAll(async () => rm(directory, { recursive: true }));

/** Subscribes as two callers. Returns the subjects of the identities that the subgraph received. */
async function subjectsOf(identity: NonNullable<GatewayConfigInput['identity']>): Promise<readonly unknown[]> {
  await using subgraph = await startFakeStreamSubgraph({});
  const composition = composeSubgraphs([{ name: 'clock', url: subgraph.url, files: [{ path: 'clock.graphql', text: SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  await using gateway = await createGateway(
    {
      profile: 'dev',
      supergraph: { sdl: composition.supergraphSdl },
      server: { port: 0, internalPort: 0 },
      auth: { developmentKey: DEVELOPMENT_KEY },
      identity,
    },
    { logger: silentLogger },
  );
  const { url } = await gateway.listen();
  const closing = new AbortController();
  for (const sub of ['1', '2']) {
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${signToken({ sub }, { key: DEVELOPMENT_KEY })}`,
    };
    const body = '{"query":"subscription { changed }"}';
    expect((await fetch(`${url}/graphql`, { method: 'POST', headers, body, signal: closing.signal })).status).toBe(200);
    // The stream of the first caller is open at the subgraph before the second caller subscribes.
    if (sub === '1') await (await subgraph.socket(0)).until('subscribe');
  }
  await (await subgraph.socket(1)).until('subscribe');
  closing.abort();
  return subgraph.sockets.map(({ received }) => {
    const { gatefoldIdentity = '' } = (received[0]?.payload ?? {}) as { gatefoldIdentity?: string };
    return (JSON.parse(Buffer.from(gatefoldIdentity.split('.')[1] ?? '', 'base64url').toString()) as { sub?: unknown }).sub;
  });
}

describe('given subgraphs that receive the identity of callers', () => {
  it.each<[string, () => NonNullable<GatewayConfigInput['identity']>]>([
    ['a secret', () => ({ secret: 's'.repeat(32) })],
    ['a private key', () => ({ privateKeyFile })],
  ])('two callers have separate streams with %s', async (_key, identity) => {
    expect(await subjectsOf(identity())).toEqual(['1', '2']);
  });
});
