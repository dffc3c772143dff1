import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ADMIN, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';
import { NEW, WEBHOOK, type Webhook, queryWebhooks } from './query-webhooks.ts';

const NOTHING = { webhook: null, secret: null };

/** `whsec_` and 32 bytes in base64. */
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describeOnSubgraphs('webhooks', (stack) => {
  const { query: request, mutate, userErrors, rows, newWebhook, activate, newDelivery } = queryWebhooks(stack);

  const pingsOf = async ({ id }: Webhook) =>
    (await rows(`select state from webhooks.deliveries where endpoint_id = $1 and event = 'webhook.ping' order by id`, [id])).map(
      ({ state }) => state,
    );

  describe('permissions', () => {
    it('every field returns UNAUTHENTICATED without credentials', async () => {
      const { data, codes } = await request('{ webhook(id: "1") { id } webhooks { totalCount } webhookDelivery(id: "1") { id } }');
      expect(data).toEqual({ webhook: null, webhooks: null, webhookDelivery: null });
      expect(codes).toEqual(['UNAUTHENTICATED webhook', 'UNAUTHENTICATED webhookDelivery', 'UNAUTHENTICATED webhooks']);
      expect((await mutate('create', { input: NEW })).codes).toEqual(['UNAUTHENTICATED result']);
      expect((await mutate('delete', { id: '99999999' })).codes).toEqual(['UNAUTHENTICATED result']);
    });

    it.each([user('somebody@elsewhere'), user('99999999')])('registering is FORBIDDEN for the unknown user %j', async (as) => {
      expect((await mutate('create', { input: NEW }, as)).codes).toEqual(['FORBIDDEN result']);
    });

    it('access to a webhook of another user is FORBIDDEN and changes nothing', async () => {
      const webhook = await newWebhook(user('21'));
      const [ping] = await rows('select id::text as id from webhooks.deliveries where endpoint_id = $1', [webhook.id]);
      const query =
        'query ($id: ID!, $ping: ID!) { webhook(id: $id) { id } webhookDelivery(id: $ping) { id } webhooks(filter: { ownerId: "21" }) { totalCount } }';
      const { data, codes } = await request(query, user('22'), { id: webhook.id, ping: ping?.['id'] });
      expect(data).toEqual({ webhook: null, webhookDelivery: null, webhooks: null });
      expect(codes).toEqual(['FORBIDDEN webhook', 'FORBIDDEN webhookDelivery', 'FORBIDDEN webhooks']);
      expect((await mutate('update', { id: webhook.id, patch: { url: 'nonsense' } }, user('22'))).codes).toEqual(['FORBIDDEN result']);
      for (const name of ['delete', 'rotate'] as const) {
        expect((await mutate(name, { id: webhook.id }, user('22'))).codes).toEqual(['FORBIDDEN result']);
      }
      const read = await request(`query ($id: ID!) { webhook(id: $id) ${WEBHOOK} }`, ADMIN, { id: webhook.id });
      expect(read.data).toEqual({ webhook });
    });

    it('users list their own webhooks, administrators all or those of one owner', async () => {
      const [mine, theirs] = [await newWebhook(user('23')), await newWebhook(user('24'))];
      const list = async (as: Caller, filter?: object) => {
        const query = 'query ($filter: WebhookFilter) { webhooks(filter: $filter, first: 100) { nodes { id } totalCount } }';
        const { data } = await request<{ webhooks: { nodes: { id: string }[]; totalCount: number } }>(query, as, { filter });
        return data?.webhooks.nodes.map(({ id }) => id);
      };
      expect(await list(user('23'))).toEqual([mine.id]);
      expect(await list(user('23'), { ownerId: '23' })).toEqual([mine.id]);
      expect(await list(user('23'), { state: ['ACTIVE'] })).toEqual([]);
      expect(await list(ADMIN)).toEqual(expect.arrayContaining([mine.id, theirs.id]));
      expect(await list(ADMIN, { ownerId: '24' })).toEqual([theirs.id]);
      expect(await list(ADMIN, { ownerId: 'nobody' })).toEqual([]);
    });
  });

  describe('registering', () => {
    it.each([
      ['plain HTTP', 'http://hooks.example.com/'],
      ['a loopback address', 'https://127.0.0.1/'],
      ['a loopback address as a number', 'https://2130706433/'],
      ['a loopback address as a name', 'https://localhost/'],
      ['a forbidden port', 'https://hooks.example.com:22/'],
      ['a URL with a password', 'https://me:secret@hooks.example.com/'],
      ['an unknown name', 'https://nowhere.invalid/'],
      ['text that is not a URL', 'nonsense'],
      ['a URL that is too long', `https://hooks.example.com/${'x'.repeat(2_048)}`],
      ['a URL that is too long when normalized', `https://hooks.example.com/${'ä'.repeat(1_000)}`],
    ])('rejects an address: %s', async (_what, url) => {
      const response = await mutate('create', { input: { ...NEW, url } }, user('25'));
      expect([userErrors(response), response.data?.result]).toEqual([
        ['WEBHOOK_URL_FORBIDDEN input.url'],
        expect.objectContaining(NOTHING),
      ]);
    });

    it.each([[[]], [['order.created', 'order.created']], [['order.exploded']], [['webhook.ping']], [['order.created', '\0']]])(
      'rejects the events %j',
      async (events) => {
        expect(userErrors(await mutate('create', { input: { ...NEW, events } }, user('25')))).toEqual(['BAD_USER_INPUT input.events']);
      },
    );

    it('normalizes an address that contains NUL', async () => {
      expect((await newWebhook(user('25'), { url: ' https://HOOKS.example.com/a\0b ' })).url).toBe('https://hooks.example.com/a%00b');
    });

    it('creates a PENDING webhook with a queued ping, and returns the secret', async () => {
      const { data } = await mutate(
        'create',
        { input: { ...NEW, events: ['payment.succeeded', 'order.created'], isOrdered: true } },
        user('26'),
      );
      expect(data?.result).toEqual({
        webhook: {
          id: expect.any(String),
          url: 'https://hooks.example.com/in',
          events: ['payment.succeeded', 'order.created'],
          isOrdered: true,
          state: 'PENDING',
          disabledReason: null,
          ownerId: '26',
          version: 1,
        },
        secret: expect.stringMatching(SECRET),
        errors: [],
      });
      expect(data?.result.webhook && (await pingsOf(data.result.webhook))).toEqual(['PENDING']);
    });

    it('creates one webhook for a repeated key, and rejects another input', async () => {
      const key = randomUUID();
      const first = await mutate('create', { input: NEW, key }, user('27'));
      const again = await mutate('create', { input: NEW, key }, user('27'));
      expect(again.data).toEqual(first.data);
      expect(userErrors(await mutate('create', { input: { ...NEW, isOrdered: true }, key }, user('27')))).toEqual([
        'IDEMPOTENCY_KEY_REUSED idempotencyKey',
      ]);
      const [{ total } = {}] = await rows(`select count(*)::int as total from webhooks.endpoints where owner_id = '27'`);
      expect(total).toBe(1);
    });

    it('never exceeds the maximum per owner when requests are concurrent', async () => {
      for (let count = 0; count < 18; count++) await newWebhook(user('28'));
      const responses = await Promise.all(Array.from({ length: 4 }, async () => mutate('create', { input: NEW }, user('28'))));
      expect(responses.flatMap(userErrors)).toEqual(['CONFLICT', 'CONFLICT']);
      await newWebhook(user('29'));
    });
  });

  describe('changing', () => {
    it('writes nothing for an unknown webhook or an outdated version', async () => {
      expect(userErrors(await mutate('update', { id: '99999999', patch: {} }, user('31')))).toEqual(['NOT_FOUND id']);
      const { id } = await newWebhook(user('31'));
      for (const name of ['update', 'delete', 'rotate'] as const) {
        expect(userErrors(await mutate(name, { id, patch: { isOrdered: true }, version: 7 }, user('31')))).toEqual([
          'VERSION_MISMATCH expectedVersion',
        ]);
      }
    });

    it('names every invalid field of a patch', async () => {
      const { id } = await newWebhook(user('31'));
      const nulls = await mutate('update', { id, patch: { url: null, events: null, isOrdered: null, state: null } }, user('31'));
      expect(userErrors(nulls)).toEqual(['url', 'events', 'isOrdered', 'state'].map((name) => `BAD_USER_INPUT patch.${name}`));
      const bad = await mutate('update', { id, patch: { url: 'https://10.0.0.1/', events: ['x'] } }, user('31'));
      expect(userErrors(bad)).toEqual(['WEBHOOK_URL_FORBIDDEN patch.url', 'BAD_USER_INPUT patch.events']);
    });

    it('a patch without changes creates no version', async () => {
      const webhook = await newWebhook(user('31'), { events: ['order.created', 'post.created'] });
      const patch = { url: webhook.url, events: ['post.created', 'order.created'], isOrdered: false };
      expect((await mutate('update', { id: webhook.id, patch }, user('31'))).data?.result.webhook).toEqual(webhook);
      expect(await pingsOf(webhook)).toEqual(['PENDING']);
    });

    it('another address requires a ping, other events do not', async () => {
      const webhook = await newWebhook(user('32'));
      await activate(webhook);
      const events = await mutate('update', { id: webhook.id, patch: { events: ['post.created'] }, version: 1 }, user('32'));
      expect(events.data?.result.webhook).toMatchObject({ events: ['post.created'], state: 'ACTIVE', version: 2 });
      const moved = await mutate('update', { id: webhook.id, patch: { url: 'https://other.example.com/' } }, user('32'));
      expect(moved.data?.result.webhook).toMatchObject({ url: 'https://other.example.com/', state: 'PENDING', version: 3 });
      expect(await pingsOf(webhook)).toEqual(['DELIVERED', 'PENDING']);
    });

    it('another address cancels the pending ping and sends a new one', async () => {
      const webhook = await newWebhook(user('32'));
      await mutate('update', { id: webhook.id, patch: { url: 'https://other.example.com/' } }, user('32'));
      expect(await pingsOf(webhook)).toEqual(['CANCELLED', 'PENDING']);
    });

    it('re-enabling cancels pending messages and requires a ping', async () => {
      const webhook = await newWebhook(user('33'));
      await activate(webhook);
      await newDelivery(webhook, 'PENDING');
      const off = await mutate('update', { id: webhook.id, patch: { state: 'DISABLED' } }, user('33'));
      expect(off.data?.result.webhook).toMatchObject({ state: 'DISABLED', disabledReason: 'OWNER', version: 2 });
      const states = await rows(`select state, last_code from webhooks.deliveries where endpoint_id = $1 and event <> 'webhook.ping'`, [
        webhook.id,
      ]);
      expect(states).toEqual([{ state: 'CANCELLED', last_code: 'ENDPOINT_DISABLED' }]);
      const moved = await mutate('update', { id: webhook.id, patch: { url: 'https://other.example.com/' } }, user('33'));
      expect(moved.data?.result.webhook).toMatchObject({ state: 'DISABLED', disabledReason: 'OWNER', version: 3 });
      const on = await mutate('update', { id: webhook.id, patch: { state: 'ACTIVE' } }, user('33'));
      expect(on.data?.result.webhook).toMatchObject({ state: 'PENDING', disabledReason: null, version: 4 });
      expect(await pingsOf(webhook)).toEqual(['DELIVERED', 'PENDING']);
    });

    it('setting a PENDING webhook to ACTIVE replaces the pending ping', async () => {
      const webhook = await newWebhook(user('33'));
      for (let times = 0; times < 2; times++) {
        const response = await mutate('update', { id: webhook.id, patch: { state: 'ACTIVE' } }, user('33'));
        expect(response.data?.result.webhook).toEqual(webhook);
      }
      expect(await pingsOf(webhook)).toEqual(['CANCELLED', 'CANCELLED', 'PENDING']);
    });

    describe('cursors of deleted webhooks', () => {
      const events = ['order.created', 'post.created'];
      const leave = async (owner: string) => {
        const keys = events.map((event) => `${event} ${owner} ${randomUUID().slice(0, 12)}`);
        for (const key of keys) {
          await rows('insert into webhooks.cursors (stream_key, last_event_id, updated_at) values ($1, $2, now())', [key, 'e1']);
        }
      };
      const left = async (owner: string) => {
        const text = `select stream_key as key from webhooks.cursors where stream_key like '%.created ' || $1 || ' %' order by 1`;
        return (await rows(text, [owner])).map(({ key }) => String(key).split(' ')[0]);
      };

      it('are dropped on registration for the same owner and event only', async () => {
        await leave('71');
        await leave('72');
        await newWebhook(user('71'));
        expect([await left('71'), await left('72')]).toEqual([['post.created'], events]);
      });

      it('remain when another webhook of the owner waits for its ping', async () => {
        const first = await newWebhook(user('73'));
        await activate(first);
        await leave('73');
        await mutate('update', { id: first.id, patch: { url: 'https://hooks.example.com/elsewhere' } }, user('73'));
        await newWebhook(user('73'));
        expect(await left('73')).toEqual(events);
      });

      it('are dropped when a webhook is re-enabled or selects more events', async () => {
        const webhook = await newWebhook(user('74'));
        await activate(webhook);
        await mutate('update', { id: webhook.id, patch: { state: 'DISABLED' } }, user('74'));
        await leave('74');
        await mutate('update', { id: webhook.id, patch: { state: 'ACTIVE' } }, user('74'));
        expect(await left('74')).toEqual(['post.created']);
        await mutate('update', { id: webhook.id, patch: { events } }, user('74'));
        expect(await left('74')).toEqual([]);
      });
    });

    it('stores the current roles of the owner, and never those of an administrator', async () => {
      const webhook = await newWebhook({ id: '34', roles: ['EDITOR', 'ADMIN'] });
      const roles = async () => (await rows('select owner_roles from webhooks.endpoints where id = $1', [webhook.id]))[0]?.['owner_roles'];
      expect(await roles()).toEqual(['ADMIN', 'EDITOR']);
      await mutate('update', { id: webhook.id, patch: { isOrdered: true } }, user('34'));
      expect(await roles()).toEqual([]);
      await mutate('update', { id: webhook.id, patch: { isOrdered: false } }, ADMIN);
      expect(await roles()).toEqual([]);
    });

    it('blocks undelivered messages when the owner has fewer roles', async () => {
      const webhook = await newWebhook({ id: '36', roles: ['EDITOR', 'ADMIN'] });
      for (const state of ['PENDING', 'DEAD', 'CANCELLED', 'DELIVERED']) await newDelivery(webhook, state);
      const deliveries = async () =>
        (await rows('select event, state, last_code from webhooks.deliveries where endpoint_id = $1 order by id', [webhook.id])).map(
          (row) => [row['event'], row['state'], row['last_code']].join(' '),
        );
      const before = await deliveries();
      await mutate('update', { id: webhook.id, patch: { isOrdered: true } }, { id: '36', roles: ['ADMIN', 'AUTHOR', 'EDITOR'] });
      await mutate('update', { id: webhook.id, patch: { isOrdered: false } }, ADMIN);
      expect(await deliveries()).toEqual(before);
      await mutate('update', { id: webhook.id, patch: { isOrdered: true } }, { id: '36', roles: ['AUTHOR', 'EDITOR'] });
      expect(await deliveries()).toEqual([
        'webhook.ping PENDING ',
        'order.created BLOCKED FORBIDDEN',
        'order.created BLOCKED FORBIDDEN',
        'order.created BLOCKED FORBIDDEN',
        'order.created DELIVERED ',
      ]);
    });

    it('deleting a webhook removes its data, and a second deletion is NOT_FOUND', async () => {
      const webhook = await newWebhook(user('35'));
      expect((await mutate('delete', { id: webhook.id, version: 1 }, user('35'))).data?.result).toEqual({ webhook, errors: [] });
      for (const table of ['secrets', 'deliveries']) {
        expect(await rows(`select id from webhooks.${table} where endpoint_id = $1`, [webhook.id])).toEqual([]);
      }
      expect(userErrors(await mutate('delete', { id: webhook.id }, user('35')))).toEqual(['NOT_FOUND id']);
    });
  });

  describe('secrets', () => {
    it('a rotation limits the previous secret to a day, and the next ends it at once', async () => {
      const { data: made } = await mutate('create', { input: NEW }, user('41'));
      const id = made?.result.webhook?.id;
      const { data: rotated } = await mutate('rotate', { id, version: 1 }, user('41'));
      expect(rotated?.result).toMatchObject({ secret: expect.stringMatching(SECRET), webhook: { version: 2 }, errors: [] });
      expect(rotated?.result.secret).not.toBe(made?.result.secret);
      const expiries = async () =>
        (await rows('select expires_at from webhooks.secrets where endpoint_id = $1 order by id', [id])).map((row) => row['expires_at']);
      const [before] = await expiries();
      expect((before as Date).toISOString()).toBe(rotated?.result.previousExpiresAt);
      await mutate('rotate', { id }, user('41'));
      expect(await expiries()).toEqual([expect.any(Date), null]);
    });

    it('a repeated key rotates the secret once', async () => {
      const { id } = await newWebhook(user('41'));
      const key = randomUUID();
      const first = await mutate('rotate', { id, key }, user('41'));
      expect((await mutate('rotate', { id, key }, user('41'))).data).toEqual(first.data);
      expect(await rows('select id from webhooks.secrets where endpoint_id = $1', [id])).toHaveLength(2);
    });

    it('are never stored in plain text', async () => {
      const { data: made } = await mutate('create', { input: NEW, key: randomUUID() }, user('42'));
      const { data: rotated } = await mutate('rotate', { id: made?.result.webhook?.id, key: randomUUID() }, user('42'));
      const shown = [made?.result.secret ?? '', rotated?.result.secret ?? ''];
      expect(shown).toEqual([expect.stringMatching(SECRET), expect.stringMatching(SECRET)]);
      const tables = await rows(`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`);
      let everything = '';
      for (const { name } of tables) everything += JSON.stringify(await rows(`select to_jsonb(t) as row from ${String(name)} t`));
      // This proves that the search covers stored values.
      expect(everything).toContain('https://hooks.example.com/in');
      for (const secret of shown) {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        for (const spelling of [secret.slice('whsec_'.length), key.toString('base64url'), key.toString('hex')])
          expect(everything).not.toContain(spelling);
      }
    });
  });
});
