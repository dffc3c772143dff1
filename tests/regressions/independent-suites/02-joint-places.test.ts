import { describe, expect, it } from '@jest/globals';
import { describeCase } from '../../differential/random-federation/describe-case.ts';
import { runJointCases } from '../../differential/random-federation/run-joint-cases.ts';

describe('point 2: joint places', () => {
  // The comparison at the end holds for these graphs: with other seeds it can differ.
  const first = Number(process.env['DIFFERENTIAL_SEED'] ?? 3);

  it(`answers as one schema does, from seed ${first} (DIFFERENTIAL_SEED)`, async () => {
    const requests: number[][] = [[], []];
    for (let seed = first; seed < first + 6; seed += 1) {
      for await (const { graph, result, operation, planning } of runJointCases(seed, { operations: 5, moreLevels: 4 })) {
        requests[planning]?.push(result.exchanges.length);
        if (result.verdict.kind === 'wrong') {
          throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${seed}, operation ${operation}, planning ${planning}`));
        }
      }
    }
    // Joint places are really used: some operations take another number of requests.
    expect(requests[0]).not.toEqual(requests[1]);
  });
});
