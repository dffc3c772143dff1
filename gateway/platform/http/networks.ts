import { BlockList, isIP } from 'node:net';

/** Whether an address, as sockets and headers write it, is in one of several networks. */
export type InNetworks = (address: string) => boolean;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** @unit bits */
  readonly prefix: number;
}

/** Addresses and networks (RFC 4632; RFC 4291, section 2.3). Undefined where there are none, so that nobody asks. */
export function compileNetworks(networks: readonly string[]): InNetworks | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new TypeError(`"${text}" is no network.`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** An address such as `192.0.2.7`, or a network such as `10.0.0.0/8` and `2001:db8::/32`; undefined for every other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  return prefix <= longest ? { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix } : undefined;
}

/** A listener on `::` writes IPv4 addresses as IPv6 ones (RFC 4291, section 2.5.5.2). */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
