import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { type CliProcess, cleanEnvironment, requireBuild, startCli } from '../support/process/built-cli.ts';
import { runShell } from '../support/process/run-shell.ts';
import { freePort } from '../support/http/free-port.ts';
import { containsOutput } from '../support/pages/match-output.ts';

const SLOW = 120_000;
/** Time that the blocks may take. It is shorter than that of the test, so that their processes end with the test. @unit milliseconds */
const BLOCKS_TIMEOUT_MS = 110_000;
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');

/** Returns the command of the first screen, and the output that the README shows for it. */
function firstScreen(): { readonly command: string; readonly shown: string } {
  const [, command = '', shown = ''] = /```sh\n(curl [\s\S]*?)```\n\n```json output\n([\s\S]*?)```/.exec(readme) ?? [];
  return { command, shown };
}

/** Returns the shell blocks of a section, which a new user runs while `npm start` runs. */
function shellBlocksOf(heading: string): readonly string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return [...body.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

let gatefold: CliProcess;
let port: number;
beforeAll(async () => {
  await requireBuild();
  port = await freePort(2);
  // Runs in the checkout itself, so that the key of the tokens is the one with which `npx gatefold token` signs.
  gatefold = startCli(['dev'], { cwd: packageRoot, env: { PORT: String(port), GATEFOLD_DATA_DIR: 'memory' } });
  await gatefold.waitFor(/Ctrl-C stops everything/);
}, SLOW);
afterAll(async () => gatefold[Symbol.asyncDispose]());

/** Runs blocks one after another in one shell, with the port of this run. */
async function paste(blocks: readonly string[]): Promise<string> {
  const script = `set -euo pipefail\n${blocks.join('\n')}`.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`);
  return runShell(script, { cwd: packageRoot, env: cleanEnvironment(), timeoutMs: BLOCKS_TIMEOUT_MS });
}

describe('the README', () => {
  it(
    'runs the first screen and each block of its tour against npm start',
    async () => {
      const blocks = shellBlocksOf('Tour');
      expect(blocks).toHaveLength(8);
      const { command, shown } = firstScreen();
      const output = await paste([command, ...blocks]);
      expect(shown).toContain('"book"');
      expect(containsOutput(output, shown)).toBe(true);
      expect(output).toMatch(/"shipment":\{"carrier":"[^"]+"\}/); // five subgraphs
      expect(output).toMatch(/\{"data":\{"book":\{"title":"[^"]+","author":"[^"]+","price":[\d.]+\}\}\}/); // by GET
      expect(output).toMatch(/"path":\["user","email"\],"extensions":\{"code":"UNAUTHENTICATED".*"email":null/); // partial data
      expect(output).toContain('"pageSize":3');
      expect(output.match(/HTTP\/1\.1 201 Created/g)).toHaveLength(2);
      expect(output).toMatch(/location: \/orders\/\d+/i);
      expect(output).toMatch(/location: \/payments\/\d+/i);
      expect(output).toMatch(/HTTP\/1\.1 404 Not Found/);
      expect(output).toMatch(/"quantity":\d+.*"_links":\{.*"self":\{"href":"\/v2\/orders\/\d+"\}/); // another version and representation
      expect(output).toMatch(/^data: \{.*"kind":"CREATED".*"user":\{"name":"[^"]+"\},"product":\{"title":"[^"]+"\}/m); // events
      expect(output).toContain('{"status":"ok"');
    },
    SLOW,
  );
});
