import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Maximum size of the bundle, with the packages that it needs. It has 44 KB. @unit bytes */
const MAX_BYTES = 60_000;

describe('the export gatefold/subgraph', () => {
  it('imports only the verifier, two platform files, jose and lru-cache', async () => {
    const { metafile } = await build({
      entryPoints: [join(packageRoot, 'gateway/subgraph-identity/index.ts')],
      absWorkingDir: packageRoot,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      metafile: true,
      write: false,
    });
    const inputs = Object.keys(metafile.inputs);
    const packages = new Set(inputs.flatMap((path) => /^node_modules\/([^/]+)/.exec(path)?.[1] ?? []));
    expect([...packages].toSorted()).toEqual(['jose', 'lru-cache']);
    const sources = inputs.filter((path) => !path.startsWith('node_modules/') && !path.startsWith('gateway/subgraph-identity/'));
    expect(sources.toSorted()).toEqual(['gateway/platform/bytes-of-value.ts', 'gateway/platform/clock.ts']);
    const [{ bytes } = { bytes: Number.POSITIVE_INFINITY }] = Object.values(metafile.outputs);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
