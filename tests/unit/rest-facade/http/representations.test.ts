import { describe, expect, it } from '@jest/globals';
import { serveFacade } from '../support/serve-facade.ts';

const sendRequest = async (accept: string, path = '/books/1') => {
  await using facade = await serveFacade();
  return await facade.send({ path, headers: { accept } });
};

describe('representations of responses', () => {
  it('a request for the explicit plain type returns the short plain type', async () => {
    const full = await sendRequest('application/vnd.gatefold.v1.plain+json');
    const short = await sendRequest('application/vnd.gatefold.v1+json');
    expect({ status: full.status, type: full.headers['content-type'], tag: full.headers['etag'] }).toEqual({
      status: 200,
      type: 'application/vnd.gatefold.v1+json',
      tag: short.headers['etag'],
    });
  });

  it('an `Accept` header of empty elements accepts everything', async () => {
    expect((await sendRequest(', ,')).status).toBe(200);
  });

  it('the 406 response lists all media types that are served', async () => {
    const { status, json } = await sendRequest('text/html', '/v1/books/1');
    expect({ status, error: json['error'] }).toEqual({ status: 406, error: 'NOT_ACCEPTABLE' });
    const types = String(json['message']).match(/application\/[\w.+]+/g);
    expect(types).toEqual([
      'application/json',
      'application/vnd.gatefold+json',
      'application/vnd.gatefold.envelope+json',
      'application/vnd.gatefold.links+json',
      'application/vnd.gatefold.v1+json',
      'application/vnd.gatefold.v1.envelope+json',
      'application/vnd.gatefold.v1.links+json',
    ]);
    for (const type of types ?? []) expect((await sendRequest(type, '/v1/books/1')).headers['content-type']).toContain(type);
  });
});
