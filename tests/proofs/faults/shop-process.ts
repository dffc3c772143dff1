import { startSubgraphServer } from '../../faults/subgraph-server.ts';

// The three subgraphs, in a process of their own; the stock is the one that hangs when it is told to.

export type ShopCommand = 'be well' | 'hang' | 'tell the most';

/** Told at the start, and when it is asked for. */
export interface ShopReport {
  /** Where they are. */
  readonly override: Readonly<Record<string, { readonly url: string }>>;
  /** The most requests that the stock had at once. */
  readonly most: number;
}

const [catalogue, prices, stock] = await Promise.all([
  startSubgraphServer('catalogue'),
  startSubgraphServer('prices'),
  startSubgraphServer('stock'),
]);

function report(): void {
  const override = { catalogue: { url: catalogue.url }, prices: { url: prices.url }, stock: { url: stock.url } };
  process.send?.({ override, most: stock.busy.most } satisfies ShopReport);
}

process.on('message', (command: ShopCommand) => {
  if (command === 'hang') stock.behave(() => {});
  else if (command === 'be well') stock.behave();
  else report();
});
process.on('disconnect', () => process.exit());
report();
