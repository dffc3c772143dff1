import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { THREATS, untried } from './threats.ts';

function testSources(): readonly string[] {
  const directory = join(packageRoot, 'tests');
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('architecture'))
    .map((path) => readFileSync(join(directory, path), 'utf8'));
}

describe('threats', () => {
  it.each([
    ['no test', "it('something else')"],
    ['its name in a comment', '// Token flood: none'],
    ['a skipped test', "it.skip('Token flood: given many, when sent')"],
    ['a test that is still to do', "it.todo('Token flood: given many, when sent')"],
    ['a test of something that begins with its name', "it('Token floods: given many')"],
  ])('a threat is not covered by %s', (_what, source) => {
    expect(untried(['Token flood'], [source])).toEqual(['Token flood']);
  });

  it.each([
    "it('Token flood: given many')",
    "it.each([\n])(\n  'Token flood: given %s',",
    'describe(`Token flood: ${name}`',
    ')("Token flood: given")',
  ])('a threat is covered by %j', (source) => {
    expect(untried(['Token flood'], [source])).toEqual([]);
  });

  it('each listed threat has a test that is named after it', () => {
    const sources = testSources();
    expect(sources.length).toBeGreaterThan(100);
    expect(untried(THREATS, sources)).toEqual([]);
  });
});
