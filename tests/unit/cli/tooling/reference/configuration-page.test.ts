import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { productSchema } from '../../../../../cli/configuration.ts';
import { generateConfigurationPage } from '../../../../../cli/tooling/reference/configuration-page.ts';
import { settingAt, valuePaths } from '../../../../../gateway/config/check-sections.ts';
import { compileSettings } from '../../../../../gateway/config/settings.ts';

describe('docs/reference/configuration.md', () => {
  it('is up to date (else: npm run generate)', async () => {
    const { path, text } = generateConfigurationPage();
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('describes every key, and the unit of every number', () => {
    const settings = compileSettings(productSchema);
    const silent = [...valuePaths(settings)].filter((path) => {
      const setting = settingAt(settings, path);
      if (setting?.kind !== 'value') return true;
      return setting.description === '' || (setting.type === 'integer' && setting.unit === undefined);
    });
    expect(silent.map((path) => path.join('.'))).toEqual([]);
  });
});
