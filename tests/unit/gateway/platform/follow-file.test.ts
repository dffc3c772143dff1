import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { followFile } from '../../../../gateway/platform/follow-file.ts';
import type { Logger } from '../../../../gateway/platform/logger.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-follow-'));
  path = join(directory, 'number');
});

afterEach(() => rm(directory, { recursive: true }));

function parse(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error('it is no number');
  return Number(text);
}

/** Creates a logger that records its lines and resolves when a line is logged. */
function recording() {
  const lines: string[] = [];
  let wake: (() => void) | undefined;
  const log = (_object: unknown, line: string): void => {
    lines.push(line);
    wake?.();
  };
  const logger = { debug: log, info: log, warn: log, error: log } as unknown as Logger;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  return { logger, lines, next };
}

const follow = (logger: Logger, adopt?: (next: number, before: number) => void | Promise<void>) =>
  followFile({ path, name: 'The number', parse, logger, intervalMs: 50, ...(adopt === undefined ? {} : { adopt }) });

describe('followFile', () => {
  it('throws for a missing file', () => {
    expect(() => follow(recording().logger)).toThrow(`${path}: the file does not exist`);
  });

  it('throws for an invalid file and includes the reason', async () => {
    await writeFile(path, 'x');
    expect(() => follow(recording().logger)).toThrow(`${path}: the content is invalid: it is no number`);
  });

  it('retains the last content and logs a warning when the file becomes invalid', async () => {
    await writeFile(path, '1');
    const { logger, lines, next } = recording();
    await using file = follow(logger);
    const seen = next();
    await writeFile(path, 'one');
    await seen;
    expect(file.content).toBe(1);
    expect(lines).toEqual(['The file of The number is invalid. The previous content remains in use.']);
  });

  it('retains the last content while `adopt` rejects the next, until it accepts one', async () => {
    await writeFile(path, '1');
    const { logger, next } = recording();
    await using file = follow(logger, async (number) => {
      await Promise.resolve();
      if (number === 2) throw new Error('not this one');
    });
    let seen = next();
    await writeFile(path, '2');
    await seen;
    expect(file.content).toBe(1);
    seen = next();
    await writeFile(path, '30');
    await seen;
    expect(file.content).toBe(30);
  });
});
