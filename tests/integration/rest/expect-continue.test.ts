import { request as open } from 'node:http';
import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('Expect: 100-continue (RFC 9110, section 10.1.1)', ({ http, newUser }) => {
  it('sends 100 to a client that waits with its body, and creates the order', async () => {
    const { token } = await newUser();
    const body = JSON.stringify({ productId: 1, qty: 1 });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    };
    const seen = await new Promise<readonly unknown[]>((resolve, reject) => {
      const events: unknown[] = [];
      const request = open(`${http.origin}/orders`, { method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve([...events, response.statusCode]));
      });
      request.once('continue', () => {
        events.push('continue');
        request.end(body);
      });
      request.once('error', reject).flushHeaders();
    });
    expect(seen).toEqual(['continue', 201]);
  });
});
