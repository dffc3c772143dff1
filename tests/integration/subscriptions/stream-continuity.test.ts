import { describe, expect, it } from '@jest/globals';
import { gatewayHere } from './gateway-runs.ts';
import { holdStreams } from './hold-streams.ts';

/** `npm run prove stream-continuity` runs the same with a thousand clients and kills processes. */
describe('stream continuity', () => {
  it('no event is lost or duplicated across reloads and restarts', async () => {
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
