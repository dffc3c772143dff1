import { describe, expect, it } from '@jest/globals';
import { clientAddressOf, networkOf } from '../../../../gateway/budget/client-address.ts';

describe('the address of a client', () => {
  it.each([
    ['nonsense', '10.0.0.1'],
    ['192.0.2.1, ', '10.0.0.1'],
    ['192.0.2.1, unknown', '10.0.0.1'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('given the proxy wrote "%s", when read, then it is %s', (forwarded, address) => {
    expect(clientAddressOf('10.0.0.1', { 'x-forwarded-for': forwarded }, true)).toBe(address);
  });

  it('given no proxy is trusted, when read, then it is that of the connection', () => {
    expect(clientAddressOf('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, false)).toBe('10.0.0.1');
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('given %s, when asked, then it is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
