import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../../../subgraphs/webhooks/delivery/public-address.ts';
import { checkTarget, readTarget, TargetForbidden, type TargetPolicy } from '../../../../../subgraphs/webhooks/delivery/target-policy.ts';

const PUBLIC = { address: '93.184.216.34', family: 4 };

/** A resolver that returns its results one after another. */
function resolving(...responses: readonly (readonly string[])[]): TargetPolicy & { readonly requested: string[] } {
  const requested: string[] = [];
  return {
    requested,
    async resolve(hostname) {
      const addresses = responses[requested.length] ?? [];
      requested.push(hostname);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

describe('targets of webhooks', () => {
  test.each([
    'https://user@hooks.example.com/',
    'https://:secret@hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'https://hooks.example.com./',
    'https://localhost/',
    'https://metadata/',
    'https://hooks.example.com/#part',
    'https://',
    'hooks.example.com',
    '',
    `https://hooks.example.com/${'x'.repeat(2_048)}`,
  ])('rejects %j before it resolves the name', async (url) => {
    const policy = resolving([PUBLIC.address]);
    await expect(checkTarget(url, policy)).rejects.toThrow(TargetForbidden);
    expect(policy.requested).toEqual([]);
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '169.254.169.254',
    '8.8.8.8',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[2606:4700::1111]',
  ])('rejects the IP address %s', (host) => {
    expect(() => readTarget(`https://${host}/hook`, {})).toThrow(TargetForbidden);
  });

  test.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['172.16.0.1']],
    [['192.168.1.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['0.0.0.0']],
    [['224.0.0.1']],
    [['255.255.255.255']],
    [['198.18.0.1']],
    [['::1']],
    [['fd00:ec2::254']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [['64:ff9b:1::a00:1']],
    [['2002:a00:1::']],
    [['2001:0:a00:1::']],
    [[PUBLIC.address, '10.0.0.1']],
    [['2606:4700::1111', '::1']],
    [[]],
  ])('rejects a name with the addresses %j', async (addresses) => {
    await expect(checkTarget('https://hooks.example.com/', resolving(addresses))).rejects.toThrow(TargetForbidden);
  });

  test('rejects a name that does not resolve', async () => {
    const resolve = async () => {
      throw new Error('queryA ENOTFOUND');
    };
    await expect(checkTarget('https://hooks.example.com/', { resolve })).rejects.toThrow('must resolve by public DNS');
  });

  test.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/',
    'https://BÜCHER.example/',
  ])('accepts %s with public addresses', async (url) => {
    await expect(checkTarget(url, resolving([PUBLIC.address, '2606:4700::1111']))).resolves.toBeInstanceOf(URL);
  });

  test.each(['http://127.0.0.1:9000/hook', 'https://127.0.0.1/', 'http://[::1]:80/', 'http://2130706433/'])(
    'accepts %s in any spelling when loopback is allowed',
    async (url) => {
      await expect(checkTarget(url, { allowedPrivateHosts: ['127.0.0.1', '[::1]'] })).resolves.toBeInstanceOf(URL);
    },
  );

  test('rejects other hosts and schemes than the allowed one', async () => {
    const policy = { allowedPrivateHosts: ['127.0.0.1'] };
    for (const url of ['http://127.0.0.2/', 'ftp://127.0.0.1/', 'http://user@127.0.0.1/']) {
      await expect(checkTarget(url, policy)).rejects.toThrow(TargetForbidden);
    }
  });
});

describe('public addresses', () => {
  test('exclude every IPv4 address embedded in IPv6', () => {
    for (const last of ['8.8.8.8', '10.0.0.1', '93.184.216.34']) {
      for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']) {
        expect({ address: prefix + last, isPublic: isPublicAddress(prefix + last) }).toEqual({ address: prefix + last, isPublic: false });
      }
    }
  });

  test.each([
    '',
    'example.com',
    '4000::1',
    '::',
    '1.2.3',
    '256.1.1.1',
    '100::1',
    '5f00::1',
    '3fff::1',
    '2001:db8::1',
    'ff0e::1',
    '192.88.99.1',
  ])('exclude %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
