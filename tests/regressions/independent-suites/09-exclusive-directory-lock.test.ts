import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requireBuild } from '../../support/process/built-cli.ts';
import { contendWithKills, takeTogether } from '../../support/process/contend-for-lock.ts';

const CONTENDERS = 8;
const ROUNDS = 100;
/** `npm run prove directory-lock` takes the lock more often. */
const TAKINGS_OF_EACH = 15;
const KILLS = 12;

describe('point 09: the lock of a data directory', () => {
  let parent: string;
  beforeAll(async () => {
    await requireBuild();
    parent = await mkdtemp(join(tmpdir(), 'contend-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it(`has one holder when ${CONTENDERS} processes take over the lock of an ended process`, async () => {
    expect(await takeTogether({ parent, contenders: CONTENDERS, rounds: ROUNDS })).toEqual(Array.from({ length: ROUNDS }, () => 1));
  });

  it(`has one holder at a time among ${CONTENDERS} processes, ${KILLS} of which are killed`, async () => {
    const report = await contendWithKills({ parent, contenders: CONTENDERS, takings: TAKINGS_OF_EACH, kills: KILLS });
    expect(report.sharedHolds).toEqual([]);
    expect(report.takings).toBeGreaterThanOrEqual(CONTENDERS * TAKINGS_OF_EACH);
    expect(report.exits.filter((exit) => exit !== 'SIGKILL')).toEqual(Array.from({ length: CONTENDERS }, () => 0));
    expect(report.exits).toContain('SIGKILL');
  });
});
