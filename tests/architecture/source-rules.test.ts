import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { MAX_LINES, SOURCE_RULES, violationsIn } from './source-rules.ts';

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  [`at most ${MAX_LINES} lines`, 'schema/rest/long.graphql', 'a\n'.repeat(MAX_LINES + 1)],
  ['re-exports only in index.ts', 'gateway/operation/barrel.ts', "export type { Fault } from './errors.ts';"],
  ['re-exports only in index.ts', 'rest-facade/compile/index.ts', "export * from './rest-route.ts';"],
  ['re-exports only in index.ts', 'gateway/operation/barrel.ts', "export {\n  type Fault,\n  fault,\n} from './errors.ts';"],
  ['process.env only at the edges', 'gateway/http/port.ts', 'const port = process.env.PORT;'],
  ['process.env only at the edges', 'cli/commands/dev.ts', "import { env } from 'node:process';"],
  ['values of node:http only from node-http.ts', 'gateway/http/x.ts', "import { type Server, createServer } from 'node:http';"],
  ['no notes to self, no switched-off checks', 'tests/unit/x.test.ts', '// TODO later'],
  ['no notes to self, no switched-off checks', 'cli/main.ts', '// @ts-expect-error: I know better'],
  ['no casts through unknown', 'gateway/config/x.ts', 'const x = y as unknown as Z;'],
  ['no names that say nothing', 'gateway/operation/utils.ts', ''],
];

/** Lists every hand-written file of the project. */
function projectFiles(directory = ''): readonly string[] {
  return readdirSync(join(packageRoot, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return isOurs(entry.name) ? projectFiles(path) : [];
    return /\.(?:ts|tsx|js|json|graphql|sql|ya?ml|md|css|html)$/.test(entry.name) ? [path] : [];
  });
}

function isOurs(directoryName: string): boolean {
  return !['node_modules', 'dist', 'coverage', '.git', '.gatefold'].includes(directoryName);
}

describe('the source rules', () => {
  it.each(PLANTED)('rule "%s" catches the violation in %s', (rule, path, text) => {
    expect(violationsIn(path, text).some((violation) => violation.startsWith(`${path}: ${rule}: `))).toBe(true);
  });

  it('have a planted violation for each rule', () => {
    expect([...new Set(PLANTED.map(([rule]) => rule))].toSorted()).toEqual(SOURCE_RULES.map(({ name }) => name).toSorted());
  });

  it('accept allowed text', () => {
    expect(violationsIn('gateway/index.ts', "export { createGateway } from './create-gateway.ts';")).toEqual([]);
    expect(violationsIn('gateway/http/x.ts', "import type { Server } from 'node:http';")).toEqual([]);
    expect(violationsIn('cli/process-terminal.ts', 'const { env } = { env: process.env };')).toEqual([]);
    expect(violationsIn('subgraphs/users/generated/resolver-types.ts', 'x: any\n'.repeat(MAX_LINES + 1))).toEqual([]);
  });

  it('are met by all files of the project', () => {
    const files = projectFiles();
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((path) => violationsIn(path, readFileSync(join(packageRoot, path), 'utf8')))).toEqual([]);
  });
});
