import { describe, expect, it } from '@jest/globals';
import { createNegotiator } from '../../../../../../gateway/platform/http/request/negotiate.ts';

const negotiate = createNegotiator(['application/json', 'application/graphql-response+json']);

describe('createNegotiator', () => {
  it.each([
    ['text/html'],
    ['application/json;q=0, application/graphql-response+json;q=0'],
    ['*/*;q=0'],
    ['application/json; charset=iso-8859-1'],
    ['application/json;q=nonsense'],
    ['nonsense'],
    ['json'],
    ['application/*;q=0.0'],
    [';;;,,,'],
  ])('returns undefined for Accept: %s', (accept) => {
    expect(negotiate(accept)).toBeUndefined();
  });

  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['  ', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;charset=UTF-8;q=0.5', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', 'application/graphql-response+json'],
    ['application/json;q=0.9, application/graphql-response+json', 'application/graphql-response+json'],
    ['application/json;q=0.1, */*;q=0.8', 'application/graphql-response+json'],
    ['application/json;q=0, */*', 'application/graphql-response+json'],
    ['*/*, application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['text/event-stream, multipart/mixed, application/json', 'application/json'],
    ['nonsense, application/json', 'application/json'],
    ['text/html,'.repeat(110), 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ])('negotiates Accept: %s to %s, also the second time', (accept, offer) => {
    expect(negotiate(accept)).toBe(offer);
    expect(negotiate(accept)).toBe(offer);
  });
});
