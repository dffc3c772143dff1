import { describe, expect, it } from '@jest/globals';
import { expectError } from '../../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { type ReferenceRoute, bodies, freshPath, pathOf, routes, titled } from './reference-routes.ts';

const writes = routes.filter(({ bindings }) => bindings.ifMatch !== undefined);
const changes = writes.filter(({ method }) => method !== 'DELETE');
const removals = writes.filter(({ method }) => method === 'DELETE');

describe('fixtures of the write tests', () => {
  it('have a body for every write that compares versions', () => {
    expect(changes.filter(({ operationName }) => bodies[operationName] === undefined).map(({ operationName }) => operationName)).toEqual(
      [],
    );
  });
});

describeOnStack('responses of every route that changes a resource', (stack) => {
  const { http, tokens } = stack;
  const token = tokens.admin;
  /** Returns the version in an entity tag. The rest of the tag may change without a write, for example when a webhook delivery fails. */
  const versionOf = (etag: string | undefined) => etag?.split('-')[0];
  const counted = ({ result }: ReferenceRoute, body: object) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => result.validators.version?.uncovered.has(name) !== true));
  /** Returns the entity tag of the resource at the path of a write when the version alone determines the tag. */
  const tagIfKnown = (route: ReferenceRoute, etag: string) => {
    const read = routes.find((one) => one.method === 'GET' && one.lifespan.since === route.lifespan.since && pathOf(one) === pathOf(route));
    return read?.result.validators.version?.uncovered.size === 0 ? etag : undefined;
  };
  const tagOf = async (path: string) => String((await http.get(path, { token })).headers['etag']);
  const send = ({ method, operationName }: ReferenceRoute, path: string, turn: number, headers: Readonly<Record<string, string>>) => {
    const json = bodies[operationName]?.(turn);
    return http.send({ method, path, token, headers, ...(json === undefined ? {} : { json }) });
  };

  it.each(titled(changes))('%s succeeds once when several requests update the same version', async (_title, route) => {
    const path = await freshPath(route, stack);
    const etag = await tagOf(path);
    const responses = await Promise.all([1, 2, 3].map((turn) => send(route, path, turn, { 'if-match': etag })));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412]);
    for (const response of responses.filter(({ status }) => status === 412)) expectError(response, 412, 'VERSION_MISMATCH');
    expect(versionOf(await tagOf(path))).not.toBe(versionOf(etag));
  });

  it.each(titled(writes))('%s returns 412 and writes nothing when no tag matches', async (_title, route) => {
    const path = await freshPath(route, stack);
    const etag = await tagOf(path);
    for (const header of ['"x"', `W/${etag}`, '"999-000000"', etag.replace(/^"\d+/, '"0')]) {
      expect({ header, status: (await send(route, path, 1, { 'if-match': header })).status }).toEqual({ header, status: 412 });
    }
    for (const header of ['*', etag, `"x", W/${etag}`]) {
      const rejected = await send(route, path, 1, { 'if-none-match': header });
      expectError(rejected, 412, 'PRECONDITION_FAILED');
      expect(rejected.headers['etag']).toBe(tagIfKnown(route, etag));
      expectError(await send(route, path, 1, { 'if-none-match': header, 'if-match': '*' }), 412, 'PRECONDITION_FAILED');
    }
    const before = new Date(0).toUTCString();
    const late = await send(route, path, 1, { 'if-unmodified-since': before });
    expect([late.status, late.headers['etag']]).toEqual([412, tagIfKnown(route, etag)]);
    expectError(await send(route, path, 1, { 'if-match': 'no tag' }), 400, 'BAD_REQUEST');
    expect(versionOf(await tagOf(path))).toBe(versionOf(etag));
  });

  it.each(titled(writes))('%s returns 404 for an unknown resource regardless of the condition', async (_title, route) => {
    const path = (await freshPath(route, stack)).replace(/\d+$/, '999999999');
    for (const headers of [
      { 'if-match': '"1-000000"' },
      { 'if-match': '"x"' },
      { 'if-none-match': '*' },
      { 'if-none-match': '"1-000000"' },
    ]) {
      expectError(await send(route, path, 1, headers), 404, 'NOT_FOUND');
    }
  });

  it.each(titled(changes))('%s writes when the condition holds, and returns the new state', async (_title, route) => {
    const path = await freshPath(route, stack);
    const { headers: read } = await http.get(`${path}?fields=id`, { token, headers: { 'accept-encoding': 'gzip' } });
    const written = await send(route, path, 1, { 'if-match': `"x", ${String(read['etag'])}` });
    expect(written.status).toBe(200);
    expect(written.headers['content-location']).toBe(path);
    const current = await http.get(path, { token });
    expect(counted(route, written.body)).toEqual(counted(route, current.body));
    // RFC 9110, section 9.3.4: an entity tag in the response to PUT would mean that every byte is stored as it was sent.
    expect(versionOf(written.headers['etag'])).toBe(route.method === 'PUT' ? undefined : versionOf(current.headers['etag']));
    expect((await send(route, path, 2, { 'if-match': '*', 'if-none-match': `"x", ${String(read['etag'])}` })).status).toBe(200);
    const minimal = await send(route, path, 3, {
      prefer: 'return=minimal',
      'if-unmodified-since': new Date(Date.now() + 60_000).toUTCString(),
    });
    expect({ status: minimal.status, length: minimal.bytes.length }).toEqual({ status: 204, length: 0 });
    expect(minimal.headers['preference-applied']).toBe('return=minimal');
    const isReported = route.method !== 'PUT' && route.result.validators.version?.uncovered.size === 0;
    expect(minimal.headers['etag']).toBe(isReported ? await tagOf(path) : undefined);
  });

  it.each(titled(changes.filter(({ method }) => method === 'PATCH')))(
    '%s retried under the same key after a failed condition writes once',
    async (_title, route) => {
      const path = await freshPath(route, stack);
      const key = { 'idempotency-key': crypto.randomUUID() };
      const old = { ...key, 'if-match': '"999-000000"' };
      for (const headers of [old, old, { ...key, 'if-none-match': '*' }]) {
        const failed = await send(route, path, 1, headers);
        expect([failed.status, failed.headers['idempotent-replayed']]).toEqual([412, undefined]);
      }
      const current = { ...key, 'if-match': await tagOf(path) };
      const [first, again] = [await send(route, path, 1, current), await send(route, path, 1, current)];
      expect([first.status, again.status, again.text === first.text]).toEqual([200, 200, true]);
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    },
  );

  it.each(titled(removals))('%s deletes the current version and rejects another one', async (_title, route) => {
    const path = await freshPath(route, stack);
    const etag = await tagOf(path);
    expect((await send(route, path, 1, { 'if-match': '"998-000000", "999-000000"' })).status).toBe(412);
    const response = await send(route, path, 1, { 'if-match': `"999-000000", ${etag}` });
    expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' });
  });
});
