import { expect, it } from '@jest/globals';
import { expectJson, expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('health', ({ http, internalUrl }) => {
  it.each(['/health', '/health/live', '/health/ready'])(
    'given a running stack, when %s is polled without credentials, then it is well',
    async (path) => {
      const response = await http.get(path);
      expectJson(response, 200);
      expect(response.body).toMatchObject({ status: 'ok' });
      expect(response.headers['cache-control']).toContain('no-store');
    },
  );

  it('given a token that is invalid, when /health is polled, then it is well all the same', async () => {
    expectJson(await http.get('/health', { token: 'nonsense' }), 200);
  });

  it('given another method, when /health is called, then the answer is 405 with Allow', async () => {
    const response = await http.post('/health', {});
    expectError(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers['allow']).toContain('GET');
  });

  it('given HEAD, when /health is polled, then the headers come without a body', async () => {
    const [head, get] = [await http.send({ method: 'HEAD', path: '/health' }), await http.get('/health')];
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.headers['content-length']).toBe(String(get.bytes.length));
  });

  it('given the internal listener, when /health is polled, then it is well', async () => {
    expectJson(await http.get('/health', { origin: internalUrl }), 200);
  });

  it('given the internal listener, when /graphql is called without the token of a service, then the answer is 401', async () => {
    const response = await http.post('/graphql', { query: '{ __typename }' }, { origin: internalUrl });
    expect({ status: response.status, body: response.body }).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });
});
