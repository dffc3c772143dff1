import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { argumentsForTypeScript } from '../../support/process/process-of.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';

/** SDL of the subgraphs of the overload proof. */
export const CATALOG_SDL = {
  catalog: `${LINK}
    type Query { items: [Item!]! }
    type Item @key(fields: "id") { id: ID! name: String! description: String! price: Float! tags: [String!]! }`,
  stock: `${LINK}
    type Item @key(fields: "id") { id: ID! inStock: Int! warehouse: Warehouse! }
    type Warehouse { id: ID! city: String! }`,
} as const;

/** Operation whose execution takes the gateway a few milliseconds. */
export const CATALOG_QUERY = '{ items { id name description price tags inStock warehouse { id city } } }';

export interface CatalogGraph extends AsyncDisposable {
  readonly supergraph: string;
}

/** Starts both subgraphs in one separate process, which computes each response once. */
export async function startCatalogGraph(): Promise<CatalogGraph> {
  const child: ChildProcess = fork(fileURLToPath(new URL('subgraph-process.ts', import.meta.url)), {
    execArgv: [...argumentsForTypeScript()],
  });
  const [urls] = (await once(child, 'message')) as [Readonly<Record<keyof typeof CATALOG_SDL, string>>];
  const composition = composeSubgraphs(
    (['catalog', 'stock'] as const).map((name) => ({ name, url: urls[name], files: [{ path: name, text: CATALOG_SDL[name] }] })),
  );
  if (composition.errors !== undefined) throw new Error(JSON.stringify(composition.errors));
  return {
    supergraph: composition.supergraphSdl,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
