import { describe, expect, it } from '@jest/globals';
import { serveFacade } from '../support/serve-facade.ts';

describe('bodies of requests', () => {
  it('given a part of what a PUT would replace, when sent, then nothing is replaced', async () => {
    await using facade = await serveFacade();
    const replace = (headers: Record<string, string>) => facade.send({ method: 'PUT', path: '/books/1', body: { title: 'x' }, headers });
    const { status, json } = await replace({ 'content-range': 'bytes 0-11/200' });
    expect({ status, error: json['error'] }).toEqual({ status: 400, error: 'BAD_REQUEST' });
    expect(facade.seen).toEqual([]);
    expect((await replace({})).status).toBe(200);
  });
});
