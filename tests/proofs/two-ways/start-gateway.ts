import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endTogether } from '../../support/process/end-together.ts';
import { createProbe, type Probe } from './probe.ts';

export interface GatewayFigures {
  /** Number of responses to requests that the gateway has read itself. */
  readonly plainResponses: number;
  /** Number of open connections, those to subgraphs included. */
  readonly sockets: number;
}

/** Gateway in a separate process, so that its event loop does not wait for that of the clients. */
export interface ComparedGateway {
  readonly url: URL;
  readonly probe: Probe;
  figures(): Promise<GatewayFigures>;
  stop(): void;
}

/** @param plainReader whether the gateway reads plain requests itself */
export async function startGateway(plainReader: boolean): Promise<ComparedGateway> {
  const child = fork(fileURLToPath(new URL('gateway-process.ts', import.meta.url)), [String(plainReader)]);
  endTogether(child);
  const [address] = (await once(child, 'message')) as [string];
  const url = new URL(address);
  const probe = createProbe(url);
  return {
    url,
    probe,
    async figures() {
      const received = once(child, 'message');
      child.send('figures');
      const [figures] = (await received) as [GatewayFigures];
      return figures;
    },
    stop() {
      probe.stop();
      child.kill();
    },
  };
}
