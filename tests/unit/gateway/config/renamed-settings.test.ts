import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { settingAt } from '../../../../gateway/config/check-sections.ts';
import { readConfiguration } from '../../../../gateway/config/read-configuration.ts';
import { RENAMED_SETTINGS, describeOldName, withNewNames } from '../../../../gateway/config/renamed-settings.ts';
import { gatewayConfig } from '../../../../gateway/config/sections.ts';
import { compileSettings } from '../../../../gateway/config/settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'gatefold-renamed-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Reads a file and variables. Returns the configuration, and the warnings without the temporary directory. */
async function read(yaml: string, env: Readonly<Record<string, string>> = {}) {
  const file = join(directory, 'gatefold.yaml');
  writeFileSync(file, yaml);
  const warnings: string[] = [];
  const config = await readConfiguration({
    schema: gatewayConfig,
    env,
    profileDefault: 'dev',
    file,
    onOldName: (oldName) => warnings.push(describeOldName(oldName).replace(`${directory}/`, '')),
  });
  return { config, warnings };
}

describe('a renamed setting', () => {
  it('is read by its old name from a file, with a warning that names the new one and the location', async () => {
    const { config, warnings } = await read('limits:\n  tellCost: false\n');
    expect(config.limits.exposeCost).toBe(false);
    expect(warnings).toEqual([
      'The setting limits.tellCost (gatefold.yaml:2:3) was renamed to limits.exposeCost. Use the new name: version 0.3 rejects the old one.',
    ]);
  });

  it('is read by its old name from a variable', async () => {
    const { config, warnings } = await read('', { GATEFOLD_IDEMPOTENCY__MAX_REPLY_BYTES: '7000' });
    expect(config.idempotency.maxResponseBytes).toBe(7_000);
    expect(warnings).toEqual([expect.stringContaining('the environment variable GATEFOLD_IDEMPOTENCY__MAX_REPLY_BYTES')]);
  });

  it('is read by its old name below any key of a record, with its value in the new form', async () => {
    const { config, warnings } = await read(
      'supergraph:\n  subgraphs:\n    films:\n      url: http://films\n      schema: films.graphql\n',
    );
    expect(config.supergraph.subgraphs?.['films']?.files).toEqual([join(directory, 'films.graphql')]);
    expect(warnings).toEqual([
      'The setting supergraph.subgraphs.films.schema (gatefold.yaml:5:7) was renamed to supergraph.subgraphs.films.files. Use the new name: version 0.3 rejects the old one.',
    ]);
    const code = withNewNames({ supergraph: { subgraphs: { films: { schema: 'films.graphql' } } } }, () => undefined);
    expect(code).toEqual({ supergraph: { subgraphs: { films: { files: ['films.graphql'] } } } });
  });

  it('is an error if one source sets both names', async () => {
    const both = read('limits:\n  tellCost: false\n  exposeCost: true\n');
    await expect(both).rejects.toThrow('limits.exposeCost: is also set by its old name limits.tellCost');
  });

  it('is an error if its value is invalid, which is reported with the new name', async () => {
    await expect(read('idempotency:\n  maxReplyBytes: many\n')).rejects.toThrow('idempotency.maxResponseBytes: expected a whole number');
  });

  it('is read by its old name in code, where the new name takes precedence', () => {
    const warnings: string[] = [];
    const convert = (input: object) => withNewNames(input, (oldName) => warnings.push(describeOldName(oldName)));
    expect(convert({ limits: { tellCost: false, maxDepth: 3 } })).toEqual({ limits: { exposeCost: false, maxDepth: 3 } });
    expect(convert({ limits: { tellCost: false, exposeCost: true } })).toEqual({ limits: { exposeCost: true } });
    expect(warnings).toHaveLength(2);
    const current = { limits: { exposeCost: true } };
    expect(convert(current)).toBe(current);
  });

  it.each(RENAMED_SETTINGS)('$from has a new name that exists, and an old one that does not', ({ from, to }) => {
    const settings = compileSettings(gatewayConfig);
    expect(settingAt(settings, to)?.kind).toBe('value');
    expect(settingAt(settings, from)).toBeUndefined();
  });
});
