import { expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
    @source(name: "api", http: { baseURL: "http://back-end.test" })
  type Query { title: String @connect(source: "api", http: { GET: "/title" }, selection: "$") }
`;

async function warningsWith(url: string | undefined): Promise<readonly string[]> {
  const { supergraphSdl = '' } = composeSubgraphs([{ name: 'shop', url: '', files: [{ path: 'shop.graphql', text: SDL }] }]);
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_facts: unknown, message?: string) => void warnings.push(message ?? '') };
  await using gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      supergraph: { sdl: supergraphSdl },
      ...(url === undefined ? {} : { subgraphs: { override: { shop: { url } } } }),
    },
    { logger },
  );
  await gateway.listen();
  return warnings.filter((message) => message.includes('subgraphs.override'));
}

it('warns of the URL of a server that is set for a subgraph with connectors', async () => {
  expect(await warningsWith('http://127.0.0.1:4001/graphql')).toEqual([
    'The setting subgraphs.override.shop.url has no effect: the subgraph has connectors and no server. Set connectors.subgraphs.shop.sources.<name>.baseUrl instead.',
  ]);
  expect(await warningsWith(undefined)).toEqual([]);
});
