import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';

const PAGE = join(packageRoot, 'docs/internals/request-lifecycle.md');
const page = readFileSync(PAGE, 'utf8');
const code = readFileSync(join(packageRoot, 'gateway/pipeline/pipeline.ts'), 'utf8');
/** The functions that process a query or mutation. */
const pipeline = code.slice(code.indexOf('async function withPrepared'), code.indexOf('async function subscribePrepared'));

/** Calls of the stages, in the order of the table that has a column for them. */
const calls = [...page.matchAll(/^\| [^|]+ \| `([^`]+)` \|/gm)].map(([, call = '']) => call);

/** Returns the first call that does not follow the previous one, or undefined when all do. */
function firstOutOfOrder(stages: readonly string[]): string | undefined {
  let position = 0;
  return stages.find((call) => {
    position = pipeline.indexOf(call, position) + call.length;
    return position < call.length;
  });
}

describe('docs/internals/request-lifecycle.md', () => {
  it('links to files that exist', () => {
    const links = [...page.matchAll(/\]\((\.\.\/[^)#]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter((link) => !existsSync(join(dirname(PAGE), link)))).toEqual([]);
  });

  it('lists the stages in the order of pipeline.ts', () => {
    expect(calls).toHaveLength(14);
    expect(firstOutOfOrder(calls)).toBeUndefined();
  });

  it('a swapped stage and a stage without a call are found', () => {
    const swapped = calls.with(9, calls[7] ?? '').with(7, calls[9] ?? '');
    expect(firstOutOfOrder(swapped)).toBe(calls[8]);
    expect(firstOutOfOrder([...calls, 'forgotten('])).toBe('forgotten(');
  });
});
