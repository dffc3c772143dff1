import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { expectJson, expectError, MOUNTS, type Page } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const ORDER = JSON.stringify({ productId: 1, qty: 1 });
const deep = (levels: number) => `{"productId":1,"qty":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describeOnStack('request bodies', ({ http, newUser, newOrder }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const post = async (body: string | Buffer, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) => {
      const { id, token } = await newUser();
      const response = await http.send({ method: 'POST', path: `${mount}/orders`, body, headers, token });
      const { body: page } = await http.get<Page<unknown>>(`${mount}/users/${String(id)}/orders`, { token });
      return { response, orders: page.totalElements };
    };

    it.each<[string, string | Buffer]>([
      ['nothing', ''],
      ['white space', '  \n'],
      ['a truncated document', '{"productId":1,"qty":'],
      ['a trailing comma', '{"productId":1,"qty":1,}'],
      ['single quotes', "{'productId':1,'qty':1}"],
      ['a comment', '{"productId":1,"qty":1} // please'],
      ['two documents', `${ORDER}${ORDER}`],
      ['NaN', '{"productId":1,"qty":NaN}'],
      ['Infinity', '{"productId":1,"qty":Infinity}'],
      ['a list', '[]'],
      ['a list of one', `[${ORDER}]`],
      ['null', 'null'],
      ['text', '"productId"'],
      ['a number', '1'],
      ['true', 'true'],
      ['form data', 'productId=1&qty=1'],
      ['XML', '<order><productId>1</productId></order>'],
      ['a repeated key', '{"productId":1,"qty":1,"qty":2}'],
      ['__proto__', '{"productId":1,"qty":1,"__proto__":{"isAdmin":true}}'],
      ['__proto__ in escapes', '{"productId":1,"qty":1,"\\u005f_proto__":{"isAdmin":true}}'],
      ['constructor.prototype', '{"productId":1,"qty":1,"constructor":{"prototype":{"isAdmin":true}}}'],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['UTF-16', Buffer.from(`\ufeff${ORDER}`, 'utf16le')],
      ['a hundred levels', deep(100)],
      ['a hundred thousand levels', deep(100_000)],
      ['a number with 900,000 digits', `{"productId":1,"qty":${'1'.repeat(900_000)}}`],
      ['ten thousand unknown keys', `{${Array.from({ length: 10_000 }, (_, index) => `"k${String(index)}":1`).join()}}`],
      ['a lone surrogate as a key', '{"productId":1,"qty":1,"\\ud800":1}'],
    ])('returns 400 and creates no order for the body: %s', async (_title, body) => {
      const { response, orders } = await post(body);
      expect(response.status).toBe(400);
      expect(response.text.length).toBeLessThan(20_000);
      expect(orders).toBe(0);
    });

    it('returns 413 for a body larger than 1 MiB', async () => {
      const { response, orders } = await post(`{"productId":1,"qty":1,"x":"${'x'.repeat(1_100_000)}"}`);
      expectError(response, 413, 'PAYLOAD_TOO_LARGE');
      expect(orders).toBe(0);
    });

    it('rejects a small body that decompresses to more than 1 MiB', async () => {
      const { response, orders } = await post(gzipSync(`{"productId":1,"qty":1,"x":"${'x'.repeat(30_000_000)}"}`), {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      });
      expect([413, 415]).toContain(response.status);
      expect(orders).toBe(0);
    });

    it('accepts a gzip body or returns 415', async () => {
      const { response } = await post(gzipSync(ORDER), { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      if (response.status === 201) expectJson(response, 201);
      else expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it.each([
      ['none', {}],
      ['an empty type', { 'content-type': '' }],
      ['plain text', { 'content-type': 'text/plain' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
      ['XML', { 'content-type': 'application/xml' }],
      ['a type that only starts like JSON', { 'content-type': 'application/jsonp' }],
      ['a malformed type', { 'content-type': 'application' }],
      ['two types', { 'content-type': 'text/plain, application/json' }],
      ['JSON as a parameter', { 'content-type': 'text/plain; x=application/json' }],
      ['the charset UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
      ['the charset Latin-1', { 'content-type': 'application/json; charset=latin1' }],
      ['an unknown encoding', { 'content-type': 'application/json', 'content-encoding': 'zstd-9000' }],
    ])('returns 415 for the content type: %s', async (_title, headers) => {
      const { response, orders } = await post(ORDER, headers);
      expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(orders).toBe(0);
    });

    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
      'application/json; charset="utf-8"',
    ])('creates the order for the content type %s', async (type) => {
      const { response, orders } = await post(ORDER, { 'content-type': type });
      expectJson(response, 201);
      expect(orders).toBe(1);
    });

    it('returns 400 for a merge patch that sets a required field to null', async () => {
      const owner = await newUser();
      const path = `${mount}/orders/${String(await newOrder(owner))}`;
      const headers = { 'content-type': 'application/merge-patch+json' };
      expectError(await http.send({ method: 'PATCH', path, json: { qty: null }, headers, token: owner.token }), 400, 'BAD_USER_INPUT');
    });

    it('accepts or rejects an empty patch without a server error', async () => {
      const owner = await newUser();
      const path = `${mount}/orders/${String(await newOrder(owner))}`;
      const response = await http.send({ method: 'PATCH', path, json: {}, token: owner.token });
      expect([200, 400]).toContain(response.status);
    });

    it('ignores or rejects a body on DELETE', async () => {
      const owner = await newUser();
      const path = `${mount}/orders/${String(await newOrder(owner))}`;
      const response = await http.send({ method: 'DELETE', path, json: { status: 'SHIPPED' }, token: owner.token });
      expect([204, 400, 415]).toContain(response.status);
    });
  });
});
