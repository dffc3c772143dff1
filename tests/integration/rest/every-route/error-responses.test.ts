import { describe, expect, it } from '@jest/globals';
import { expectError } from '../../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { makers, nowhere, parametersOf, pathOf, routes, titled } from './reference-routes.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const first = titled(routes);
const withBody = titled(routes.filter(({ bindings }) => bindings.body !== undefined));
const withoutBody = titled(routes.filter(({ bindings, method }) => bindings.body === undefined && method !== 'GET'));

describe('fixtures of the route tests', () => {
  it('have a factory for every path parameter', () => {
    expect([...new Set(routes.flatMap(parametersOf))].filter((name) => makers[name] === undefined)).toEqual([]);
  });
});

describeOnStack('requests that every route rejects', ({ http, tokens }) => {
  const token = tokens.admin;
  const at = (route: (typeof routes)[number], values: Readonly<Record<string, string | number>> = {}) =>
    pathOf(route, { ...Object.fromEntries(parametersOf(route).map((name) => [name, 1])), ...values });

  it.each(first)('%s returns 405 with Allow for methods that its path does not serve', async (_title, route) => {
    const path = at(route);
    const served = routes.filter(
      (other) => other.lifespan.since <= route.lifespan.since && at({ ...other, lifespan: route.lifespan }) === path,
    );
    const methods = new Set<string>(served.map(({ method }) => method));
    const allow = (await http.send({ method: 'OPTIONS', path })).headers['allow']?.split(', ') ?? [];
    expect(new Set(allow)).toEqual(new Set([...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']));
    for (const method of METHODS.filter((name) => !methods.has(name))) {
      const response = await http.send({ method, path, token });
      expectError(response, 405, 'METHOD_NOT_ALLOWED');
      expect(response.headers['allow']?.split(', ')).not.toContain(method);
    }
    for (const method of ['PROPFIND', 'TRACE']) expectError(await http.send({ method, path, token }), 501, 'METHOD_NOT_IMPLEMENTED');
  });

  it.each(first)('OPTIONS for %s lists the accepted body types and has no body', async (_title, route) => {
    const { status, bytes, headers } = await http.send({ method: 'OPTIONS', path: at(route) });
    expect({ status, length: bytes.length }).toEqual({ status: 204, length: 0 });
    if (route.method === 'PATCH') expect(headers['accept-patch']).toContain('application/merge-patch+json');
    if (route.method === 'POST' && route.bindings.body !== undefined) expect(headers['accept-post']).toContain('application/json');
  });

  it.each(titled(routes.filter(({ status }) => status !== 204)))(
    '%s returns 406 when the client accepts no available media type',
    async (_title, route) => {
      for (const accept of ['image/png', 'application/json;q=0', 'text/html;level=1']) {
        expectError(await http.send({ method: route.method, path: at(route), token, headers: { accept } }), 406, 'NOT_ACCEPTABLE');
      }
    },
  );

  it.each(withBody)('%s returns 415 with alternatives for another type, charset or coding', async (_title, route) => {
    const { method } = route;
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json-patch+json' },
      { 'content-type': 'application/json', 'content-encoding': 'zstd' },
    ]) {
      const response = await http.send({ method, path: at(route), token, body: '{}', headers });
      expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      if ('content-encoding' in headers) expect(response.headers['accept-encoding']).toBe('gzip, deflate, br');
    }
  });

  it.each(withBody)('%s returns 400 or 413 for a malformed, missing or oversized JSON body', async (_title, route) => {
    const { method } = route;
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '[]', 'null', '{"a":1,"a":2}', '{"__proto__":1}']) {
      expect((await http.send({ method, path: at(route), token, body, headers })).status).toBe(400);
    }
    expectError(await http.send({ method, path: at(route), token, headers }), 400, 'BAD_REQUEST');
    const large = await http.send({ method, path: at(route), token, headers, body: `{"a":"${'x'.repeat(1_048_576)}"}` });
    expectError(large, 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each(withoutBody)('%s returns 400 when it receives a body', async (_title, route) => {
    expectError(await http.send({ method: route.method, path: at(route), token, json: {} }), 400, 'BAD_REQUEST');
  });

  it.each(first)('%s returns 400 for an unknown parameter unless the client prefers leniency', async (_title, route) => {
    const { method } = route;
    const json = route.bindings.body === undefined ? undefined : {};
    const path = `${at(route, nowhere(route))}?magic=1`;
    const strict = await http.send({ method, path, token, ...(json === undefined ? {} : { json }) });
    expectError(strict, 400, 'UNKNOWN_PARAMETER');
    const headers = { prefer: 'handling=lenient' };
    const lenient = await http.send({ method, path, token, headers, ...(json === undefined ? {} : { json }) });
    expect(lenient.body['error']).not.toBe('UNKNOWN_PARAMETER');
  });

  it.each(titled(routes.filter(({ needsCredentials }) => needsCredentials)))(
    '%s returns 401 without credentials',
    async (_title, route) => {
      expectError(await http.send({ method: route.method, path: at(route) }), 401, 'UNAUTHENTICATED');
    },
  );

  it.each(titled(routes.filter((route) => route.method === 'GET' && parametersOf(route).length > 0)))(
    '%s returns 404 for an unknown object, also for HEAD',
    async (_title, route) => {
      const path = pathOf(route, nowhere(route));
      expectError(await http.get(path, { token }), 404, 'NOT_FOUND');
      const head = await http.send({ method: 'HEAD', path, token });
      expect({ status: head.status, length: head.bytes.length }).toEqual({ status: 404, length: 0 });
    },
  );
});
