import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileMatcher } from '../../../../rest-facade/compile/route-matcher.ts';
import { parsePathTemplate } from '../../../../rest-facade/compile/endpoint/path-template.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { libraryRoute } from '../support/bind-library.ts';

function routeAt(path: string, method: RestRoute['method'] = 'GET'): RestRoute {
  const template = parsePathTemplate(path);
  if (typeof template === 'string') throw new Error(template);
  return { ...libraryRoute('GetBook'), operationName: `${method} ${path}`, method, template };
}

const match = compileMatcher(
  [
    routeAt('/users'),
    routeAt('/users/{id}'),
    routeAt('/users/me'),
    routeAt('/users/{user_id}/orders'),
    routeAt('/users/me/a/b'),
    routeAt('/users/{id}', 'PATCH'),
  ],
  ['', '/api', '/deep/er'],
  [1],
);
const found = (path: string): unknown => {
  const result = match(path)?.byVersion.get(1);
  return (
    result && {
      routes: [...result.routes.values()].map(({ operationName }) => operationName),
      parameters: result.parameters,
      mount: result.mount,
    }
  );
};

describe('compileMatcher', () => {
  it.each([
    '/',
    '//',
    '/user',
    '/Users',
    '/users//',
    '//users',
    '/users//orders',
    '/users/1/',
    '/users/1//',
    '/users/1/2',
    '/users/%2F/orders/',
    '/api',
    '/api/',
    '/deep/users',
    '/api/deep/er/users',
    '/users/..',
    '/users/1/orders/2',
    '/__proto__',
    '/constructor',
  ])('%s matches only when the difference to a route is a trailing slash', (path) => {
    const expected = ['/users/1/', '/users/%2F/orders/', '/users/..'].includes(path);
    expect(found(path) !== undefined).toBe(expected);
  });

  it.each([
    ['/users', ['GET /users'], [], ''],
    ['/users/', ['GET /users'], [], ''],
    ['/users/7', ['GET /users/{id}', 'PATCH /users/{id}'], ['7'], ''],
    ['/users/me', ['GET /users/me'], [], ''],
    ['/users/me/orders', ['GET /users/{user_id}/orders'], ['me'], ''],
    ['/api/users/a%2Fb%20c', ['GET /users/{id}', 'PATCH /users/{id}'], ['a/b c'], '/api'],
    ['/deep/er/users/7/orders/', ['GET /users/{user_id}/orders'], ['7'], '/deep/er'],
    ['/%75sers/7', ['GET /users/{id}', 'PATCH /users/{id}'], ['7'], ''],
  ])('%s matches %j', (path, routes, parameters, mount) => {
    expect(found(path)).toEqual({ routes, parameters, mount });
  });

  it('an ID that is percent-encoded in a path is decoded to the same text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) =>
        expect(match(`/users/${encodeURIComponent(id)}/orders`)?.byVersion.get(1)?.parameters).toEqual([id]),
      ),
    );
  });
});
