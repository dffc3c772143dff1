import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteCase } from './generate-case.ts';
import type { ComparedGateway } from './start-gateway.ts';

/** Observations of a client on one connection. */
export interface Observed {
  /** All received bytes in Latin-1, without dates and random identifiers, and with the lines of each head in alphabetical order. */
  readonly bytes: string;
  readonly fate: 'closed' | 'reset' | 'open';
}

export interface Pace {
  /** Time between two packets. @unit milliseconds */
  readonly betweenMs: number;
  /** Minimum time without received bytes after which the connection counts as open. @unit milliseconds */
  readonly quietMs: number;
  /** Number of probes that must be served meanwhile. */
  readonly probes: number;
}

/** Sends bytes on a new connection and observes it until it is closed or quiet. */
export async function exchangeBytes(
  { url, probe }: Pick<ComparedGateway, 'url' | 'probe'>,
  { packets, endsHalf }: ByteCase,
  { betweenMs, quietMs, probes }: Pace,
): Promise<Observed> {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true, noDelay: true });
  let bytes = '';
  return new Promise((resolve) => {
    const finish = (fate: Observed['fate']): void => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve({ bytes: normalize(bytes), fate });
    };
    const waitUntilQuiet = async (): Promise<void> => {
      let before: number;
      do {
        before = bytes.length;
        await wait(quietMs);
        await probe.served(probes);
      } while (bytes.length > before);
      finish('open');
    };
    const send = async (): Promise<void> => {
      for (const [index, packet] of packets.entries()) {
        if (index > 0) await wait(betweenMs);
        if (!socket.writable) break;
        socket.write(packet, 'latin1');
      }
      if (endsHalf) socket.end();
      await waitUntilQuiet();
    };
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      bytes += data;
    });
    socket.on('end', () => finish('closed')).on('error', () => finish('reset'));
    socket.once('connect', () => void send());
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Matches the field lines of a response. */
const HEAD = /(?<=HTTP\/1\.1 \d{3} [^\r\n]*\r\n)(?:[^\r\n]+\r\n)*(?=\r\n)/g;

function normalize(bytes: string): string {
  return bytes
    .replace(HEAD, (lines) => lines.split('\r\n').toSorted().join('\r\n'))
    .replace(UUID, '<id>')
    .replace(/^Date: .*$/gm, 'Date: <date>')
    .replace(/^age: \d+\r$/gm, 'age: <age>\r')
    .replace(/^last-modified: .*$/gim, 'last-modified: <date>');
}
