import { expect, it } from '@jest/globals';
import { expectJson, expectRefusal } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('health', ({ http, internalUrl }) => {
  it.each(['/health', '/health/live', '/health/ready'])(
    'given a running stack, when %s is polled without credentials, then it is well',
    async (path) => {
      const answer = await http.get(path);
      expectJson(answer, 200);
      expect(answer.body).toMatchObject({ status: 'ok' });
      expect(answer.headers['cache-control']).toContain('no-store');
    },
  );

  it('given a token that is invalid, when /health is polled, then it is well all the same', async () => {
    expectJson(await http.get('/health', { token: 'nonsense' }), 200);
  });

  it('given another method, when /health is called, then the answer is 405 with Allow', async () => {
    const answer = await http.post('/health', {});
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toContain('GET');
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
    const answer = await http.post('/graphql', { query: '{ __typename }' }, { origin: internalUrl });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });
});
