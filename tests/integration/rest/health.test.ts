import { expect, it } from '@jest/globals';
import { expectJson, expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('health', ({ http, internalUrl }) => {
  it.each(['/health', '/health/live', '/health/ready'])('%s returns ok without credentials', async (path) => {
    const response = await http.get(path);
    expectJson(response, 200);
    expect(response.body).toMatchObject({ status: 'ok' });
    expect(response.headers['cache-control']).toContain('no-store');
  });

  it('/health returns ok with an invalid token', async () => {
    expectJson(await http.get('/health', { token: 'nonsense' }), 200);
  });

  it('/health returns 405 with Allow for another method', async () => {
    const response = await http.post('/health', {});
    expectError(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers['allow']).toContain('GET');
  });

  it('HEAD /health returns the headers without a body', async () => {
    const [head, get] = [await http.send({ method: 'HEAD', path: '/health' }), await http.get('/health')];
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.headers['content-length']).toBe(String(get.bytes.length));
  });

  it('/health on the internal listener returns ok', async () => {
    expectJson(await http.get('/health', { origin: internalUrl }), 200);
  });

  it('/graphql on the internal listener returns 401 without a service token', async () => {
    const response = await http.post('/graphql', { query: '{ __typename }' }, { origin: internalUrl });
    expect({ status: response.status, body: response.body }).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });
});
