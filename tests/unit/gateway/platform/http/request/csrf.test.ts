import { describe, expect, it } from '@jest/globals';
import { refuseForgeable } from '../../../../../../gateway/platform/http/request/csrf.ts';

const blocked = expect.objectContaining({ code: 'CSRF_BLOCKED', status: 400 });

describe('refuseForgeable', () => {
  it.each([
    [undefined],
    ['text/plain'],
    ['text/plain;charset=UTF-8'],
    ['TEXT/PLAIN'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
  ])('rejects a POST of type %s without proof of a preflight', (type) => {
    expect(() => refuseForgeable({ method: 'POST', headers: type === undefined ? {} : { 'content-type': type } })).toThrow(blocked);
  });

  it.each([['PUT'], ['PATCH'], ['DELETE']])('rejects a %s without a type and without proof of a preflight', (method) => {
    expect(() => refuseForgeable({ method, headers: { cookie: 'session=1' } })).toThrow(blocked);
  });

  it.each([['application/json'], ['application/json; charset=utf-8'], ['application/merge-patch+json'], ['message/x']])(
    'accepts a POST of type %s, which requires a preflight',
    (type) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': type } })).not.toThrow();
    },
  );

  it.each([['authorization'], ['x-api-key'], ['apollo-require-preflight'], ['x-apollo-operation-name'], ['x-requested-with']])(
    'accepts a POST of a simple type with the header %s',
    (name) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': 'text/plain', [name]: 'x' } })).not.toThrow();
    },
  );

  it.each([['Basic YTpi'], ['bAsIc YTpi'], ['Negotiate abc'], ['NTLM abc'], ['Digest a="b"'], ['Basic']])(
    'rejects a POST of a simple type with credentials like %j, which browsers add',
    (authorization) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': 'text/plain', authorization } })).toThrow(blocked);
    },
  );

  it.each([['GET'], ['HEAD'], ['OPTIONS']])('accepts a simple %s', (method) => {
    expect(() => refuseForgeable({ method, headers: {} })).not.toThrow();
  });
});
