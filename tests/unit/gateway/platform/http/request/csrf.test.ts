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
  ])('given a POST of type %s, when nothing shows that a browser asked first, then it is refused', (type) => {
    expect(() => refuseForgeable({ method: 'POST', headers: type === undefined ? {} : { 'content-type': type } })).toThrow(blocked);
  });

  it.each([['PUT'], ['PATCH'], ['DELETE']])(
    'given a %s without a type, when nothing shows that a browser asked first, then it is refused',
    (method) => {
      expect(() => refuseForgeable({ method, headers: { cookie: 'session=1' } })).toThrow(blocked);
    },
  );

  it.each([['application/json'], ['application/json; charset=utf-8'], ['application/merge-patch+json'], ['message/x']])(
    'given a POST of type %s, which a browser asks about first, when it comes, then it passes',
    (type) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': type } })).not.toThrow();
    },
  );

  it.each([['authorization'], ['x-api-key'], ['apollo-require-preflight'], ['x-apollo-operation-name'], ['x-requested-with']])(
    'given a POST of a simple type, when it has the header %s, then it passes',
    (name) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': 'text/plain', [name]: 'x' } })).not.toThrow();
    },
  );

  it.each([['Basic YTpi'], ['bAsIc YTpi'], ['Negotiate abc'], ['NTLM abc'], ['Digest a="b"'], ['Basic']])(
    'given a POST of a simple type, when it has credentials like %j, which browsers send on their own, then it is refused',
    (authorization) => {
      expect(() => refuseForgeable({ method: 'POST', headers: { 'content-type': 'text/plain', authorization } })).toThrow(blocked);
    },
  );

  it.each([['GET'], ['HEAD'], ['OPTIONS']])('given a plain %s, when it comes, then it passes', (method) => {
    expect(() => refuseForgeable({ method, headers: {} })).not.toThrow();
  });
});
