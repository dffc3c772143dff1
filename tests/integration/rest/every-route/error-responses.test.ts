import { describe, expect, it } from '@jest/globals';
import { expectError } from '../../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { makers, nowhere, parametersOf, pathOf, routes, titled } from './reference-routes.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const first = titled(routes);
const withBody = titled(routes.filter(({ bindings }) => bindings.body !== undefined));
const withoutBody = titled(routes.filter(({ bindings, method }) => bindings.body === undefined && method !== 'GET'));

describe('the routes that these tests know', () => {
  it('given a parameter of a path, when a route has it, then somebody knows how to make what it names', () => {
    expect([...new Set(routes.flatMap(parametersOf))].filter((name) => makers[name] === undefined)).toEqual([]);
  });
});

describeOnStack('what every route refuses', ({ http, tokens }) => {
  const token = tokens.admin;
  const at = (route: (typeof routes)[number], values: Readonly<Record<string, string | number>> = {}) =>
    pathOf(route, { ...Object.fromEntries(parametersOf(route).map((name) => [name, 1])), ...values });

  it.each(first)(
    'given %s, when asked by methods that its path does not serve, then 405 names those that it does',
    async (_title, route) => {
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
    },
  );

  it.each(first)('given %s, when OPTIONS is asked, then it says which bodies are taken, and has none', async (_title, route) => {
    const { status, bytes, headers } = await http.send({ method: 'OPTIONS', path: at(route) });
    expect({ status, length: bytes.length }).toEqual({ status: 204, length: 0 });
    if (route.method === 'PATCH') expect(headers['accept-patch']).toContain('application/merge-patch+json');
    if (route.method === 'POST' && route.bindings.body !== undefined) expect(headers['accept-post']).toContain('application/json');
  });

  it.each(titled(routes.filter(({ status }) => status !== 204)))(
    'given %s, when no form of the answer is accepted, then it is 406',
    async (_title, route) => {
      for (const accept of ['image/png', 'application/json;q=0', 'text/html;level=1']) {
        expectError(await http.send({ method: route.method, path: at(route), token, headers: { accept } }), 406, 'NOT_ACCEPTABLE');
      }
    },
  );

  it.each(withBody)(
    'given %s, when the body is of another type, charset or coding, then it is 415 and says which would do',
    async (_title, route) => {
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
    },
  );

  it.each(withBody)('given %s, when the body is no JSON object, missing, or too large, then it is 400 or 413', async (_title, route) => {
    const { method } = route;
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '[]', 'null', '{"a":1,"a":2}', '{"__proto__":1}']) {
      expect((await http.send({ method, path: at(route), token, body, headers })).status).toBe(400);
    }
    expectError(await http.send({ method, path: at(route), token, headers }), 400, 'BAD_REQUEST');
    const large = await http.send({ method, path: at(route), token, headers, body: `{"a":"${'x'.repeat(1_048_576)}"}` });
    expectError(large, 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each(withoutBody)('given %s, when it is sent a body, then it is 400', async (_title, route) => {
    expectError(await http.send({ method: route.method, path: at(route), token, json: {} }), 400, 'BAD_REQUEST');
  });

  it.each(first)(
    'given %s, when a parameter is unknown, then it is 400, and passed over for whoever prefers that',
    async (_title, route) => {
      const { method } = route;
      const json = route.bindings.body === undefined ? undefined : {};
      const path = `${at(route, nowhere(route))}?magic=1`;
      const strict = await http.send({ method, path, token, ...(json === undefined ? {} : { json }) });
      expectError(strict, 400, 'UNKNOWN_PARAMETER');
      const headers = { prefer: 'handling=lenient' };
      const lenient = await http.send({ method, path, token, headers, ...(json === undefined ? {} : { json }) });
      expect(lenient.body['error']).not.toBe('UNKNOWN_PARAMETER');
    },
  );

  it.each(titled(routes.filter(({ needsCredentials }) => needsCredentials)))(
    'given %s, when nobody asks, then it is 401',
    async (_title, route) => {
      expectError(await http.send({ method: route.method, path: at(route) }), 401, 'UNAUTHENTICATED');
    },
  );

  it.each(titled(routes.filter((route) => route.method === 'GET' && parametersOf(route).length > 0)))(
    'given %s, when there is no such object, then it is 404, by HEAD as well',
    async (_title, route) => {
      const path = pathOf(route, nowhere(route));
      expectError(await http.get(path, { token }), 404, 'NOT_FOUND');
      const head = await http.send({ method: 'HEAD', path, token });
      expect({ status: head.status, length: head.bytes.length }).toEqual({ status: 404, length: 0 });
    },
  );
});
