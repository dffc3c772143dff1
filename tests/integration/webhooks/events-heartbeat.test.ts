import { expect, test } from '@jest/globals';
import { createServiceTokens } from '../../../subgraphs/webhooks/events/sign-service-token.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { readStream } from '../../support/streams/stream-reader.ts';

const SECRET = 'this is the secret of the services of a test';

test('a service gets a heartbeat every ten seconds, even when clients do not', async () => {
  let monotonic = 0;
  const clock = { now: Date.now, monotonic: () => monotonic };
  const streams = createHandFedStreams();
  await using gateway = await startLibraryGateway({
    clock,
    subscribe: streams.subscribe,
    config: {
      identity: { secret: 'this is the secret of identities of a test', serviceSecret: SECRET },
      subscriptions: { heartbeatIntervalMs: 3_600_000 },
    },
  });
  const authorization = `Bearer ${await createServiceTokens(SECRET, clock)({ id: '1', roles: [], scopes: [] })}`;
  await using reader = await readStream(`${gateway.internalUrl}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization },
    body: '{"query":"subscription { bookRenamed { id } }"}',
  });
  await streams.next();
  expect(await reader.until(/^:\n\n$/)).toBe(':\n\n');
  monotonic += 10_000;
  await reader.until(/^(?::\n\n){2}$/);
});
