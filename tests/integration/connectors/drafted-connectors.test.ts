import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../cli/command-line.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type DescribedService, serveDescribed } from '../../fixtures/openapi/rest-services.ts';
import type { RestService } from '../../fixtures/openapi/serve-rest.ts';
import { type CalledConnector, callConnector } from '../../support/openapi/call-connector.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';

/** Drafts a subgraph for a service of the tests. */
async function draftFor(name: DescribedService, service: RestService, basePath = ''): Promise<string> {
  const terminal = recordingTerminal();
  const document = join(packageRoot, 'tests/fixtures/openapi', name);
  const args = ['connect', 'init', '--openapi', document, '--base-url', `${service.origin}${basePath}`];
  expect(await runCommandLine(args, terminal)).toBe(0);
  return terminal.printed.join('\n');
}

interface Given {
  readonly name: DescribedService;
  /** Path of the service below its origin. */
  readonly basePath?: string;
}

/** Describes the connectors that are drafted for a service, called against the service. */
function describeDraft({ name, basePath }: Given, body: (call: Call, service: () => RestService) => void): void {
  describe(`the connectors drafted from ${name}`, () => {
    let service: RestService;
    let sdl: string;
    beforeAll(async () => {
      service = await serveDescribed(name);
      sdl = await draftFor(name, service, basePath);
    });
    afterAll(async () => service[Symbol.asyncDispose]());
    body(
      (coordinate, variables = {}) => callConnector(sdl, coordinate, variables),
      () => service,
    );
  });
}

type Call = (coordinate: string, variables?: Readonly<Record<string, unknown>>) => Promise<CalledConnector>;

describeDraft({ name: 'library-crud.yaml', basePath: '/api/v1' }, (call, service) => {
  it('a missing book has the status of the service', async () => {
    expect(await call('Query.book', { $args: { id: '99' } })).toMatchObject({ status: 404 });
  });

  it('an argument without a value is not sent', async () => {
    const { value } = await call('Query.books', { $args: { limit: 1 } });
    expect(value).toMatchObject([{ id: 1, title: 'Moss', publishedAt: '2020-01-31T00:00:00Z' }]);
    expect(service().requests.at(-1)?.url.search).toBe('?limit=1');
  });

  it('a list in a parameter is separated by commas', async () => {
    expect(await call('Query.books', { $args: { tags: ['gray', 'wet'] } })).toMatchObject({ value: [{ id: 2 }] });
  });

  it('a book is created, replaced and deleted', async () => {
    const { value } = await call('Mutation.createBook', { $args: { input: { title: 'Snow', pages: 7 } } });
    expect(value).toMatchObject({ id: 4, title: 'Snow', pages: 7 });
    const replaced = await call('Mutation.updateBook', { $args: { id: '4', input: { title: 'Ice' } } });
    expect(replaced).toMatchObject({ value: { id: 4, title: 'Ice' } });
    expect(await call('Mutation.deleteBook', { $args: { id: '4' } })).toEqual({ status: 204, value: true });
    expect(await call('Query.book', { $args: { id: '4' } })).toMatchObject({ status: 404 });
  });
});

describeDraft({ name: 'blog-nested.yaml' }, (call, service) => {
  const $env = { BLOG_TOKEN: 'secret' };

  it('without the token, the service rejects the request', async () => {
    expect(await call('Query.users', { $env: {} })).toMatchObject({ status: 401 });
  });

  it('envelopes are removed from lists and single resources', async () => {
    const { value } = await call('Query.users', { $env, $args: { page: 2, perPage: 2 } });
    expect(value).toEqual([{ id: 'u3', name: 'Cy', address: { city: 'City of Cy', country: 'NO' } }]);
    expect(await call('Query.user', { $env, $args: { id: 'u1' } })).toMatchObject({ value: { id: 'u1', name: 'Ada' } });
  });

  it('a nested path is a field of its parent', async () => {
    const { value } = await call('User.posts', { $env, $this: { id: 'u2' }, $args: { limit: 1 } });
    expect(value).toEqual([{ id: 'u2-p1', title: 'Ben 1' }]);
    expect(service().requests.at(-1)?.url.pathname).toBe('/v2/users/u2/posts');
  });

  it('an action without a response is true', async () => {
    expect(await call('Mutation.publishPost', { $env, $args: { id: 'u1-p1' } })).toEqual({ status: 204, value: true });
    expect(await call('Mutation.createUserPost', { $env, $args: { userId: 'u1', input: { title: 'New' } } })).toMatchObject({
      status: 201,
      value: { id: 'u1-new', title: 'New', author: { name: 'Ada' } },
    });
  });
});

describeDraft({ name: 'products-batch.json' }, (call, service) => {
  it('a batch requests all keys at once, and as many results', async () => {
    const { value } = await call('Product', { $env: {}, $batch: [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }] });
    expect(value).toEqual([
      { sku: 'a', name: 'Product a', price: { amount: 0.5, currency: 'EUR' } },
      { sku: 'b', name: 'Product b', price: { amount: 1.5, currency: 'EUR' } },
      { sku: 'c', name: 'Product c', price: { amount: 2.5, currency: 'EUR' } },
    ]);
    expect(service().requests.at(-1)?.url.search).toBe('?skus=a%2Cb%2Cc&page_size=3');
  });
});

describeDraft({ name: 'fleet-modern.yaml' }, (call, service) => {
  it('enum values are converted in both directions', async () => {
    const { value } = await call('Query.vehicles', { $args: { status: 'IN_SERVICE' } });
    expect(service().requests.at(-1)?.url.search).toBe('?status=in-service');
    expect(value).toEqual([
      {
        vin: 'V1',
        createdAt: '2026-01-01T00:00:00Z',
        status: 'IN_SERVICE',
        nickname: null,
        mileage: 5_000_000_000,
        labels: { team: 'north', 'x-y': '1' },
        history: ['OUT_OF_SERVICE', 'retired'],
        driver: { name: 'Ada', deputy: { name: 'Ben' } },
        kind: 'vehicle',
        extra: [1, { a: true }],
      },
    ]);
  });

  it('the body of a mutation has the values of the service', async () => {
    const input = { vin: 'V3', status: 'OUT_OF_SERVICE', history: ['IN_SERVICE'], labels: { a: 'b' }, nickname: null };
    const { value } = await call('Mutation.createVehicle', { $args: { input } });
    expect(JSON.parse(service().requests.at(-1)?.body ?? '')).toEqual({
      vin: 'V3',
      status: 'out of service',
      history: ['in-service'],
      labels: { a: 'b' },
      nickname: null,
    });
    expect(value).toMatchObject({ vin: 'V3', status: 'OUT_OF_SERVICE', history: ['IN_SERVICE'] });
  });
});

describeDraft({ name: 'hostile.json' }, (call, service) => {
  it('properties with other names than GraphQL allows have their values', async () => {
    expect(await call('Query.types')).toMatchObject({
      value: [
        { typename: 'A', grosseField: 3, grosse: 4, field: 'N', _1st: 'first', aB: 'quoted', constructor: 'C', null: 0 },
        { typename: 'B', grosseField: 5 },
      ],
    });
    expect(await call('Query.query', { $args: { id: '../a?b' } })).toMatchObject({ value: { id: '../a?b', type: 'T', true: true } });
  });

  it('paths, parameters and headers with odd names reach the service', async () => {
    expect(await call('Query.typeS')).toEqual({ status: 200, value: 'A B' });
    expect(await call('Query.search', { $args: { inPut: 'abc', xTenant: '7' } })).toEqual({ status: 200, value: [[3], [7]] });
    expect(await call('Query.file', { $args: { name: 'a/b', ext: 'txt' } })).toEqual({ status: 200, value: { name: 'a/b.txt' } });
    expect(service().requests.at(-1)?.url.pathname).toBe('/files/a%2Fb.txt');
    expect(await call('Mutation.deleteNoContent')).toEqual({ status: 204, value: true });
  });
});
