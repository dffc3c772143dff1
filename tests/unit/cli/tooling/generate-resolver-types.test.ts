import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generateResolverTypes } from '../../../../cli/tooling/generate-resolver-types.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';

describe('generated resolver types', () => {
  it('are up to date (else: npm run generate)', async () => {
    const files = await generateResolverTypes();
    const committed = await Promise.all(files.map(({ path }) => readFile(path, 'utf8').catch(() => 'missing')));
    const drifted = files.filter(({ text }, index) => text !== committed[index]).map(({ path }) => relative(packageRoot, path));
    expect(drifted).toEqual([]);
  });
});
