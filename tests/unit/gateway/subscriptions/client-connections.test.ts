import { describe, expect, it } from '@jest/globals';
import { type ClientConnection, createClientConnections } from '../../../../gateway/subscriptions/client-connections.ts';

const clock = { now: () => 5_000, monotonic: () => 1_000 };

function connection(
  heard: string[],
  { isDeaf = false } = {},
): { readonly one: ClientConnection; readonly join: (to: ReturnType<typeof createClientConnections>) => void } {
  let remove: () => void = () => undefined;
  const one: ClientConnection = {
    index: undefined,
    tick: ({ now, monotonic }) => void heard.push(`tick ${now} ${monotonic}`),
    leave(retryMs) {
      heard.push(`leave ${retryMs}`);
      if (!isDeaf) remove();
    },
    cut() {
      heard.push('cut');
      remove();
    },
  };
  return {
    one,
    join(to) {
      remove = () => to.remove(one);
      to.add(one);
    },
  };
}

describe('createClientConnections', () => {
  it('cuts only the connections that do not leave before the timeout', async () => {
    const connections = createClientConnections({ drainWindowMs: 10, clock });
    const [polite, deaf]: [string[], string[]] = [[], []];
    connection(polite).join(connections);
    connection(deaf, { isDeaf: true }).join(connections);
    await connections.drain(100);
    expect(polite).toEqual([expect.stringMatching(/^leave \d+$/)]);
    expect(deaf).toEqual([expect.stringMatching(/^leave \d+$/), 'cut']);
    expect([connections.size, connections.isDraining]).toEqual([0, true]);
  });

  it('spreads the leave requests over the window, also for few connections, and the retry times over one second', async () => {
    let shares = 0;
    const connections = createClientConnections({ drainWindowMs: 200, clock, random: () => (shares++ % 10) / 10 });
    const heard: string[] = [];
    for (let count = 0; count < 100; count += 1) connection(heard).join(connections);
    const drained = connections.drain(5_000);
    await Promise.resolve();
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThan(100);
    await drained;
    const reported = heard.filter((line) => line.startsWith('leave ')); // The list also contains ticks if draining takes long.
    const hints = new Set(reported.map((line) => Number(line.slice('leave '.length))));
    expect(reported).toHaveLength(100);
    expect(hints.size).toBe(10);
    expect([Math.min(...hints), Math.max(...hints)]).toEqual([100, 820]);
  });

  it('does not close a few connections at once', async () => {
    const connections = createClientConnections({ drainWindowMs: 200, clock });
    const heard: string[] = [];
    for (let count = 0; count < 4; count += 1) connection(heard).join(connections);
    const drained = connections.drain(5_000);
    await Promise.resolve();
    expect(heard).toHaveLength(1);
    await drained;
    expect(heard.filter((line) => line.startsWith('leave '))).toHaveLength(4);
  });

  it('ticks each remaining connection once when another is removed during the tick', () => {
    const connections = createClientConnections({ drainWindowMs: 10, clock });
    const heard: string[] = [];
    const [first, last] = [connection(heard), connection(heard)];
    first.join(connections);
    connections.add({ index: undefined, tick: () => connections.remove(last.one), leave() {}, cut() {} });
    last.join(connections);
    connections.tick();
    expect(heard).toEqual(['tick 5000 1000', 'tick 5000 1000']);
    connections.remove(first.one);
    connections.tick();
    expect(heard).toHaveLength(2);
  });

  it('drains immediately without connections', async () => {
    await createClientConnections({ drainWindowMs: 1_000, clock }).drain(10_000);
  });
});
