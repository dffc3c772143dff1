import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { toErrorBody } from '../../../../rest-facade/response/error-response.ts';
import { createAcceptReader } from '../../../../rest-facade/request/negotiation/content-negotiation.ts';

const readAccept = createAcceptReader('shop');
const details = [{ field: 'qty', message: '"qty" is required.' }];
const error = new GatewayError('BAD_USER_INPUT', '"qty" is required.', { details, cause: new Error('pg: 10.0.0.7') });
const reported = (accept: string | undefined, version?: number) =>
  toErrorBody(error, {
    acceptance: readAccept(accept),
    requestId: 'request-1',
    traceId: 'trace-1',
    ...(version === undefined ? {} : { version }),
  });

const FLAT = { error: 'BAD_USER_INPUT', message: '"qty" is required.', traceId: 'trace-1', details };
const NESTED = { error: { code: 'BAD_USER_INPUT', message: '"qty" is required.', requestId: 'request-1', details } };
const PROBLEM = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: '"qty" is required.',
  code: 'BAD_USER_INPUT',
  traceId: 'trace-1',
  details,
};

describe('the body of an error response', () => {
  it.each([
    [undefined, undefined, 'application/json; charset=utf-8', FLAT],
    ['text/html', 1, 'application/json; charset=utf-8', FLAT],
    ['application/vnd.shop+json', 1, 'application/vnd.shop+json', FLAT],
    ['application/vnd.shop.v2.links+json', 2, 'application/vnd.shop.v2.links+json', FLAT],
    ['application/vnd.shop.v2.envelope+json', 2, 'application/vnd.shop.v2.envelope+json', NESTED],
    ['application/vnd.shop.v9.envelope+json', undefined, 'application/vnd.shop.envelope+json', NESTED],
    ['application/vnd.shop.v2.envelope+json, application/json;q=0.5', 1, 'application/json; charset=utf-8', FLAT],
    ['application/vnd.shop.envelope+json, application/problem+json', 1, 'application/problem+json', PROBLEM],
    ['application/problem+json;q=0.5, application/vnd.shop.envelope+json', 1, 'application/vnd.shop.envelope+json', NESTED],
  ])('Accept %j in version %j returns %s', (accept, version, contentType, body) => {
    expect(reported(accept, version)).toEqual({ contentType, body });
  });

  it('has no details when no field is invalid', () => {
    const { body } = toErrorBody(new GatewayError('NOT_FOUND', 'Nothing.'), {
      acceptance: readAccept(undefined),
      requestId: 'r',
      traceId: 't',
    });
    expect(body).toEqual({ error: 'NOT_FOUND', message: 'Nothing.', traceId: 't' });
  });
});
