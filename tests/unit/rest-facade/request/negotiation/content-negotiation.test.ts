import { describe, expect, it } from '@jest/globals';
import { createAcceptReader } from '../../../../../rest-facade/request/negotiation/content-negotiation.ts';

const read = createAcceptReader('shop');
const best = (header: string | undefined): string | undefined => read(header).types[0]?.type;

describe('`Accept` for responses', () => {
  it.each([
    'text/html',
    'application/json;q=0',
    'application/vnd.other+json',
    'application/vnd.shop.v0+json',
    'application/vnd.shop.v2',
    'nonsense',
    'application/problem+json;q=0',
    'application/problem+json, text/html',
    'application/problem+json, application/json;q=0',
  ])('%s accepts no type that is served', (header) => expect(read(header).types).toEqual([]));

  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    [', ,', 'application/json'],
    [', application/vnd.shop.links+json,', 'application/vnd.shop.links+json'],
    ['*/*', 'application/json'],
    ['application/*;q=0.1', 'application/json'],
    ['application/json;charset=utf-8', 'application/json'],
    ['text/html, application/json;q=0.9', 'application/json'],
    ['application/problem+json', 'application/json'],
    ['Application/Problem+JSON;q=0.5', 'application/json'],
    [', application/problem+json,', 'application/json'],
    ['application/json;q=0, */*', 'application/vnd.shop+json'],
    ['application/vnd.shop.links+json, */*', 'application/vnd.shop.links+json'],
    ['application/json;q=0.5, application/vnd.shop.v2.envelope+json', 'application/vnd.shop.v2.envelope+json'],
    ['application/vnd.shop.v1+json;q=0.1, application/vnd.shop.v2+json;q=0.2', 'application/vnd.shop.v2+json'],
    ['APPLICATION/VND.SHOP.V2.LINKS+JSON', 'application/vnd.shop.v2.links+json'],
    ['application/vnd.shop.v2+json;charset=utf-8', 'application/vnd.shop.v2+json'],
    ['application/vnd.shop.plain+json', 'application/vnd.shop+json'],
    ['application/vnd.shop.v2.plain+json;charset=utf-8', 'application/vnd.shop.v2+json'],
    [`${'text/html, '.repeat(200)}application/vnd.shop.links+json`, 'application/json'],
  ])('%j prefers %s', (header, type) => expect(best(header)).toBe(type));

  it('reads the version and shape of a vendor type', () => {
    expect(read('application/vnd.shop.v12.links+json').types).toEqual([
      { type: 'application/vnd.shop.v12.links+json', shape: 'links', version: 12 },
    ]);
  });
});

describe('`Accept` for errors', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/*', false],
    ['application/problem+json;q=0', false],
    ['application/problem+json;q=0.5, application/json', false],
    ['application/problem+json;q=0.5, application/*;q=0.6', false],
    ['application/problem+json;q=none', false],
    ['application/problem+json', true],
    ['application/json, application/problem+json', true],
    ['application/vnd.shop.v2.envelope+json;q=1, application/problem+json', true],
    ['application/json;q=0.4, application/problem+json;q=0.5', true],
    ['text/html, application/problem+json;q=0.1', true],
    ['application/problem+json;q=0.9, */*;q=0.1', true],
    ['application/problem+json;q=0.5, application/vnd.shop.plain+json', false],
  ])('%j prefers a problem document: %j', (header, wanted) => expect(read(header).wantsProblem).toBe(wanted));
});
