import { describe, expect, it } from '@jest/globals';
import { createOriginCheck } from '../../../../gateway/subscriptions/origin-check.ts';

describe('createOriginCheck', () => {
  const isAllowed = createOriginCheck({ origins: ['https://shop.example.com'], localPages: false });

  it.each([
    ['https://evil.example.com', 'api.example.com', false],
    ['https://shop.example.com.evil.com', 'api.example.com', false],
    ['https://shop.example.com:444', 'api.example.com', false],
    ['http://shop.example.com', 'api.example.com', false],
    ['null', 'null', false],
    ['', 'api.example.com', false],
    ['https://api.example.com', undefined, false],
    ['https://api.example.com', 'api.example.com:8443', false],
    ['https://shop.example.com', 'api.example.com', true],
    ['https://api.example.com', 'API.example.com', true],
    ['http://127.0.0.1:4000', '127.0.0.1:4000', true],
  ])('checks the origin %s at the host %s: %s', (origin, host, expected) => {
    expect(isAllowed(origin, host === undefined ? {} : { host })).toBe(expected);
  });

  it.each([
    ['http://localhost.evil.com', false],
    ['http://127.0.0.1.evil.com:5173', false],
    ['http://evil.com#http://localhost:5173', false],
    ['http://user@localhost:5173', false],
    ['null', false],
    ['http://localhost:5173', true],
    ['https://127.0.0.1:8443', true],
    ['http://[::1]:3000', true],
    ['http://localhost', true],
  ])('checks the origin %s if local pages are allowed: %s', (origin, expected) => {
    const withLocalPages = createOriginCheck({ origins: [], localPages: true });
    expect(withLocalPages(origin, { host: 'api.example.com' })).toBe(expected);
  });
});
