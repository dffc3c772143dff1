import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { SUBSCRIPTION_CLIENTS, type SubscriptionClient, type Wanted } from '../../support/streams/subscription-clients.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const WANTED: Wanted = { query: 'subscription Renamed { bookRenamed { __typename id title } }' };
const book = (title: string) => ({ bookRenamed: { __typename: 'Book', id: '1', title } });

describe('popular subscription clients', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  let stop: (() => void) | undefined;

  const start = (): Promise<LibraryGateway> =>
    startLibraryGateway({
      subscribe: async (request) => streams.subscribe(request),
      config: { subscriptions: { drainWindowMs: 100 } },
    });

  beforeEach(() => {
    streams = createHandFedStreams();
  });
  afterEach(() => {
    stop?.();
    stop = undefined;
  });

  /** Subscribes with a client and returns its results in order. */
  function listen(client: SubscriptionClient, token?: string) {
    const heard: unknown[] = [];
    const waiting: ((one: unknown) => void)[] = [];
    const hear = (one: unknown): void => {
      const waiter = waiting.shift();
      if (waiter === undefined) heard.push(one);
      else waiter(one);
    };
    stop = client.subscribe(
      library.url,
      WANTED,
      {
        next: hear,
        complete: () => hear('complete'),
        error: (reason) => hear({ failed: reason instanceof Error ? reason.message : reason }),
      },
      token,
    );
    return {
      async next() {
        return heard.length > 0 ? heard.shift() : new Promise<unknown>((resolve) => waiting.push(resolve));
      },
    };
  }

  describe('streams without failures', () => {
    const shared = sharedByTests(start);
    beforeEach(() => {
      library = shared();
    });

    it.each(SUBSCRIPTION_CLIENTS)('$name receives every event and the end', async (client) => {
      const ears = listen(client);
      const stream = await streams.next();
      stream.push(book('Momo'), '1-0');
      expect(await ears.next()).toMatchObject({ data: book('Momo') });
      stream.push(book('Krabat'), '2-0');
      expect(await ears.next()).toMatchObject({ data: book('Krabat') });
      stream.end();
      expect(await ears.next()).toBe('complete');
    });

    it.each(SUBSCRIPTION_CLIENTS)('unsubscribing with $name ends the stream', async (client) => {
      const ears = listen(client);
      const stream = await streams.next();
      stream.push(book('Momo'));
      await ears.next();
      stop?.();
      await stream.returned;
    });

    it.each(SUBSCRIPTION_CLIENTS.filter(({ takesToken }) => takesToken))('$name subscribes as the subject of its token', async (client) => {
      listen(client, signToken({ sub: '7' }, { key: DEVELOPMENT_KEY }));
      expect((await streams.next()).request.principal).toMatchObject({ kind: 'user', id: '7' });
    });
  });

  describe('streams with failures', () => {
    // Some clients reconnect automatically, so each test has a separate gateway.
    beforeEach(async () => {
      library = await start();
    });
    afterEach(async () => library[Symbol.asyncDispose]());

    it.each(SUBSCRIPTION_CLIENTS)('$name reports the error that ends a stream', async (client) => {
      const ears = listen(client);
      (await streams.next()).fail(new GatewayError('SUBGRAPH_UNAVAILABLE', 'The subgraph is unavailable.'));
      expect(JSON.stringify(await ears.next())).toContain('The subgraph is unavailable.');
    });
  });
});
