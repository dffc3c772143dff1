import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { createCachePolicyCompiler, createEntityPolicyCompiler } from '../../../gateway/cache/compile-cache-policy.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { codeBlocks } from '../../support/pages/code-blocks.ts';

const page = readFileSync(join(packageRoot, 'docs/guides/response-caching.md'), 'utf8');
const blocksOf = (language: string) => codeBlocks(page, language);

describe('the HTTP caching page', () => {
  it('has valid settings, whose numbers are the defaults', () => {
    const blocks = blocksOf('yaml config').map((text) => parseYaml(text) as GatewayConfigInput);
    expect(blocks).toHaveLength(3);
    const byDefault = resolveGatewayConfig({}).cache;
    const numbers = ({ cache = {} }: GatewayConfigInput) => {
      const { entities: _switchedOn, staleWhileRevalidateSeconds: _chosen, ...others } = cache;
      return others;
    };
    for (const block of blocks) {
      expect(resolveGatewayConfig(block).cache).toMatchObject(block.cache ?? {});
      expect(byDefault).toMatchObject(numbers(block));
    }
  });

  it('its schema gives responses and entities the ages on the page', () => {
    const [sdl = ''] = blocksOf('graphql schema');
    const composed = composeSubgraphs([{ name: 'books', url: 'http://books.invalid/', files: [{ path: 'books.graphql', text: sdl }] }]);
    if ('errors' in composed) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
    const { schema, cacheHints: hints, authorization } = loadSupergraph(composed.supergraphSdl);
    const policyOf = createCachePolicyCompiler({ schema, hints, authorization });
    expect(policyOf(parse('{ book(id: 1) { title } }'))).toMatchObject({ maxAgeSeconds: 300, scope: 'PUBLIC' });
    expect(policyOf(parse('{ book(id: 1) { title stock } }'))).toMatchObject({ maxAgeSeconds: 10, scope: 'PUBLIC' });
    const [definition] = parse('{ ... on Book { title stock } }').definitions;
    const selections = definition !== undefined && 'selectionSet' in definition ? definition.selectionSet : undefined;
    expect(selections && createEntityPolicyCompiler({ schema, hints, authorization })(selections)).toMatchObject({ maxAgeSeconds: 10 });
  });
});
