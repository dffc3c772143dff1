import { describe, expect, it } from '@jest/globals';
import { clientAddressOf, networkOf } from '../../../../../../gateway/platform/http/request/client-address.ts';
import { compileNetworks, parseNetwork } from '../../../../../../gateway/platform/http/request/client-address.ts';

const isProxy = compileNetworks(['10.0.0.0/8', '2001:db8:ffff::/48', '198.51.100.7']);

describe('clientAddressOf', () => {
  it.each([
    ['nonsense', '10.0.0.1'],
    ['192.0.2.1, ', '10.0.0.1'],
    ['192.0.2.1, unknown', '10.0.0.1'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['203.0.113.9, 192.0.2.1, 198.51.100.7, 2001:db8:ffff::1, 10.1.2.3', '192.0.2.1'],
    ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['192.0.2.1,nonsense,10.1.2.3', '10.1.2.3'],
    ['192.0.2.1,,10.1.2.3', '10.1.2.3'],
    [`192.0.2.1${', 10.0.0.2'.repeat(1_000)}`, '10.0.0.2'],
    ['', '10.0.0.1'],
    [',', '10.0.0.1'],
  ])('reads "%s" from the proxy as %s', (forwarded, address) => {
    expect(clientAddressOf('10.0.0.1', { 'x-forwarded-for': forwarded }, isProxy)).toBe(address);
  });

  it('returns the address of the connection if no proxy is trusted', () => {
    expect(clientAddressOf('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, undefined)).toBe('10.0.0.1');
  });
});

describe('trusted proxies', () => {
  it.each(['192.0.2.9', '11.0.0.1', '2001:db8::1', '198.51.100.8', '', 'x'])(
    'do not include %s, so that its forwarded address is ignored',
    (remote) => {
      expect(clientAddressOf(remote, { 'x-forwarded-for': '192.0.2.1' }, isProxy)).toBe(remote);
    },
  );

  it.each(['10.255.255.255', '::ffff:10.0.0.1', '2001:db8:ffff:1::7', '198.51.100.7'])(
    'include %s, so that its forwarded address is used',
    (remote) => {
      expect(clientAddressOf(remote, { 'x-forwarded-for': '192.0.2.1' }, isProxy)).toBe('192.0.2.1');
    },
  );

  it.each(['10.0.0.0/33', '2001:db8::/129', '10.0.0/8', 'example.org', '10.0.0.0/-1', '10.0.0.0/', '', 'fe80::1%eth0', '*', 'loopback'])(
    'cannot be configured with the invalid network "%s"',
    (text) => {
      expect(parseNetwork(text)).toBeUndefined();
    },
  );
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('returns for %s the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
