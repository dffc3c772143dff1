import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readComposition } from '../../../cli/read-composition.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

describe('schema/supergraph.graphql', () => {
  it('is up to date (else: npm run compose)', async () => {
    const { output, subgraphs } = await readComposition(join(packageRoot, 'schema/composition.yaml'));
    const { supergraphSdl, errors } = composeSubgraphs(subgraphs);
    expect(errors).toBeUndefined();
    expect(await readFile(output, 'utf8')).toBe(`${supergraphSdl?.trimEnd()}\n`);
  });

  it('composes without hints from the reference subgraphs', async () => {
    const { subgraphs } = await readComposition(join(packageRoot, 'schema/composition.yaml'));
    expect(subgraphs.map(({ name }) => name)).toEqual([
      'users',
      'posts',
      'orders',
      'catalogue',
      'payments',
      'search',
      'shipping',
      'webhooks',
    ]);
    expect(composeSubgraphs(subgraphs).hints).toEqual([]);
  });
});
