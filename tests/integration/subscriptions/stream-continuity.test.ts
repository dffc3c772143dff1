import { describe, expect, it } from '@jest/globals';
import { gatewayHere } from './gateway-runs.ts';
import { holdStreams } from './hold-streams.ts';

/** The same with a thousand clients, and with processes that are killed: `npm run prove stream-continuity`. */
describe('streams that are kept', () => {
  it('given clients that come back after their last event, when supergraphs are replaced and the gateway is started again, then none loses an event or gets one twice, and gaps are told where events have no ids', async () => {
    const { failures, gapsReported, reloadsReported } = await holdStreams({
      gateway: gatewayHere(),
      clients: 40,
      reloads: 4,
      restarts: 1,
      kills: 0,
      intervalMs: 20,
      say: () => undefined,
    });
    expect(failures).toEqual([]);
    expect(reloadsReported).toBe(2);
    expect(gapsReported).toBeGreaterThanOrEqual(6);
  }, 120_000);
});
