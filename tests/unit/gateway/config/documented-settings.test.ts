import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../gateway/index.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';

const PAGES = ['guides/authentication', 'operate/maintenance', 'operate/transport-security'];

describe.each(PAGES)('the settings on the page docs/%s.md', (page) => {
  const text = readFileSync(join(packageRoot, 'docs', `${page}.md`), 'utf8');
  const blocks = [...text.matchAll(/```yaml config\n([\s\S]*?)```/g)].map(([, block = '']) => block);

  it('include at least one block', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  it.each(blocks)('are all known and valid in production in the block %j', (block) => {
    const config = parse(block) as GatewayConfigInput;
    expect(() => resolveGatewayConfig({ ...config, profile: 'production' })).not.toThrow();
  });
});
