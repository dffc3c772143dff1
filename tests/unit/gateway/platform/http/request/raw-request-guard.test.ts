import { describe, expect, it } from '@jest/globals';
import { guardRawRequest, type RawRequest } from '../../../../../../gateway/platform/http/request/raw-request-guard.ts';
import { thrownBy } from '../../../../../support/errors/catch-error.ts';

function guard(request: Partial<RawRequest>): void {
  guardRawRequest(
    { httpVersionMajor: 1, httpVersionMinor: 1, method: 'GET', url: '/', headers: { host: 'a' }, rawHeaders: ['Host', 'a'], ...request },
    { maxUrlBytes: 100 },
  );
}

const catchRejection = (request: Partial<RawRequest>): unknown => thrownBy(() => guard(request));

describe('guardRawRequest', () => {
  it.each([
    ['two hosts', { rawHeaders: ['Host', 'a', 'hOsT', 'a'] }],
    ['no host', { rawHeaders: [], headers: {} }],
    ['a host with user information', { headers: { host: 'user@a' } }],
    ['a foreign transfer coding', { method: 'POST', headers: { host: 'a', 'transfer-encoding': 'identity' } }],
    ['a GET with content', { headers: { host: 'a', 'content-length': '1' } }],
  ])('rejects %s and closes the connection', (_case, request) => {
    expect(catchRejection(request)).toMatchObject({ code: 'BAD_REQUEST', headers: { connection: 'close' } });
  });

  it.each([
    ['a start line of HTTP/2.0', { httpVersionMajor: 2 }, 505],
    ['a content coding before chunked', { method: 'POST', headers: { host: 'a', 'transfer-encoding': 'gzip, Chunked' } }, 501],
    ['a content coding instead of chunked', { method: 'POST', headers: { host: 'a', 'transfer-encoding': 'gzip' } }, 400],
    ['a content coding after chunked', { method: 'POST', headers: { host: 'a', 'transfer-encoding': 'chunked, gzip' } }, 400],
    ['chunked twice', { method: 'POST', headers: { host: 'a', 'transfer-encoding': 'chunked, chunked' } }, 400],
  ])('distinguishes unsupported codings from bodies without an end: %s', (_case, request, status) => {
    expect(catchRejection(request)).toMatchObject({ code: 'BAD_REQUEST', status, headers: { connection: 'close' } });
  });

  it.each(['TRACE', 'CONNECT'])('rejects the method %s as not implemented', (method) => {
    expect(catchRejection({ method })).toMatchObject({ code: 'METHOD_NOT_IMPLEMENTED', status: 501, headers: { connection: 'close' } });
  });

  it.each([
    ['/%', 'BAD_REQUEST'],
    ['/a?b=%e2%82', 'BAD_REQUEST'],
    ['http://a/', 'BAD_REQUEST'],
    ['*', 'BAD_REQUEST'],
    ['', 'BAD_REQUEST'],
    ['/ä', 'BAD_REQUEST'],
    ['/a#b', 'BAD_REQUEST'],
    [`/${'x'.repeat(100)}`, 'URI_TOO_LONG'],
    ['/a?access_token=x', 'BAD_REQUEST'],
    ['/a?b=1&API_KEY=x', 'BAD_REQUEST'],
    ['/a?t%6Fken', 'BAD_REQUEST'],
  ])('rejects the target %s with %s', (url, code) => {
    expect(catchRejection({ url })).toMatchObject({ code });
  });

  it('does not repeat credentials of the target in the message', () => {
    expect(String(catchRejection({ url: '/a?token=hunter2' }))).not.toContain('hunter2');
  });

  it.each([
    [{ url: '/a%20b?c=%F0%9F%8F%83&tokens=1' }],
    [{ url: '//a' }],
    [{ method: 'POST', headers: { host: '[::1]:4000', 'transfer-encoding': 'Chunked' } }],
    [{ headers: { host: 'a:80', 'content-length': '0' } }],
  ])('accepts %j', (request) => {
    expect(() => guard(request)).not.toThrow();
  });
});
