import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { generateDescriptions } from '../../../../cli/tooling/generate-descriptions.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from '../../../support/process/short-lived.ts';

const REDOCLY = join(packageRoot, 'node_modules/@redocly/cli/bin/cli.js');
const SPECTRAL = join(packageRoot, 'node_modules/@stoplight/spectral-cli/dist/index.js');

const descriptions = generateDescriptions();

describe('schema/openapi.v*.yaml', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-openapi-'));
    await writeFile(join(directory, 'redocly.yaml'), 'extends: [recommended-strict]\nrules: { info-license: off }\ntelemetry: off\n');
    // Contact and license are not settings of a gateway. Summaries describe the operations.
    const rules = 'rules: { info-contact: off, operation-description: off }';
    await writeFile(join(directory, 'spectral.yaml'), `extends: ["spectral:oas"]\n${rules}\n`);
  });

  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it.each(descriptions.map(({ path, text }) => [basename(path), path, text]))(
    '%s is up to date (else: npm run generate)',
    async (_name, path, text) => {
      expect(text === (await readFile(path, 'utf8').catch(() => ''))).toBe(true);
    },
  );

  it('both linters reject an invalid file', async () => {
    const text = descriptions[0]?.text ?? '';
    const broken = join(directory, 'broken.yaml');
    await writeFile(
      broken,
      text.replace('operationId: GetBook', 'operationId: ListBooks').replace('openapi: 3.1.1', 'openapi: 3.1.1\npath: {}'),
    );
    expect([lintByRedocly([broken]).status, lintBySpectral([broken]).status]).toEqual([1, 1]);
  }, 120_000);

  it('Redocly has no findings in any version', () => {
    expect(lintByRedocly(descriptions.map(({ path }) => path))).toEqual({ status: 0, findings: '' });
  }, 120_000);

  it('Spectral has no findings in any version', () => {
    expect(lintBySpectral(descriptions.map(({ path }) => path))).toEqual({ status: 0, findings: '' });
  }, 120_000);

  it('every operation has a success status and the errors that any request can return', () => {
    for (const { text } of descriptions) {
      const { paths } = parse(text) as {
        readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
      };
      // The health endpoint needs no credentials and costs nothing.
      const { '/health': _health, ...routes } = paths;
      const statuses = Object.values(routes).flatMap((item) => Object.values(item).map(({ responses }) => Object.keys(responses)));
      const incomplete = statuses.filter(
        (found) =>
          !found.some((status) => status.startsWith('2')) || !['400', '401', '429', '500', '503'].every((status) => found.includes(status)),
      );
      expect(incomplete).toEqual([]);
      expect(statuses.length).toBeGreaterThan(20);
    }
  });

  function lintByRedocly(files: readonly string[]) {
    return lint(REDOCLY, ['lint', '--config', join(directory, 'redocly.yaml'), ...files]);
  }

  function lintBySpectral(files: readonly string[]) {
    return lint(SPECTRAL, ['lint', '--fail-severity=hint', '-r', join(directory, 'spectral.yaml'), ...files]);
  }
});

/** Runs a linter in a separate process without an update check. */
function lint(script: string, options: readonly string[]) {
  const env = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...SHORT_LIVED, script, ...options], { encoding: 'utf8', env });
  return { status, findings: status === 0 ? '' : `${stdout}\n${stderr}`.slice(0, 3_000) };
}
