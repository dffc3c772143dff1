import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteCase } from './generate-case.ts';

/** Observations of a client on one connection. */
export interface Observed {
  /** All received bytes in Latin-1, without dates and random identifiers. */
  readonly bytes: string;
  readonly fate: 'closed' | 'reset' | 'open';
}

export interface Pace {
  /** Time between two packets. @unit milliseconds */
  readonly betweenMs: number;
  /** Time without received bytes after which the connection counts as open. @unit milliseconds */
  readonly quietMs: number;
}

/** Sends bytes on a new connection and observes it until it is closed or quiet. */
export async function exchangeBytes(url: URL, { packets, endsHalf }: ByteCase, { betweenMs, quietMs }: Pace): Promise<Observed> {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true, noDelay: true });
  let bytes = '';
  let isSent = false;
  return new Promise((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const finish = (fate: Observed['fate']): void => {
      clearTimeout(quiet);
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve({ bytes: normalize(bytes), fate });
    };
    const restart = (): void => {
      clearTimeout(quiet);
      if (isSent) quiet = setTimeout(finish, quietMs, 'open');
    };
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      bytes += data;
      restart();
    });
    socket.on('end', () => finish('closed')).on('error', () => finish('reset'));
    const send = async (): Promise<void> => {
      for (const [index, packet] of packets.entries()) {
        if (index > 0) await wait(betweenMs);
        if (!socket.writable) break;
        socket.write(packet, 'latin1');
      }
      if (endsHalf) socket.end();
      isSent = true;
      restart();
    };
    socket.once('connect', () => void send());
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function normalize(bytes: string): string {
  return bytes
    .replace(UUID, '<id>')
    .replace(/^Date: .*$/gm, 'Date: <date>')
    .replace(/^age: \d+\r$/gm, 'age: <age>\r')
    .replace(/^last-modified: .*$/gim, 'last-modified: <date>');
}
