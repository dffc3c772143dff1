import { startSubgraphServer } from '../../faults/subgraph-server.ts';

// The three subgraphs in a separate process. The stock hangs on command.

export type ShopCommand = 'be well' | 'hang' | 'tell the most';

/** Sent at startup, and on request. */
export interface ShopReport {
  /** Addresses of the subgraphs. */
  readonly override: Readonly<Record<string, { readonly url: string }>>;
  /** Highest number of simultaneous requests to the stock. */
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
