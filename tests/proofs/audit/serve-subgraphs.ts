import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Serves the subgraphs of an audit checkout as a separate process, and prints its address.

/** The checkout requires a Node version with this function. */
interface WithResolvers {
  withResolvers?: () => {
    readonly promise: Promise<unknown>;
    readonly resolve: (value: unknown) => void;
    readonly reject: (reason: unknown) => void;
  };
}

const promises = Promise as unknown as WithResolvers;
promises.withResolvers ??= () => {
  let settle: { resolve: (value: unknown) => void; reject: (reason: unknown) => void } | undefined;
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('The promise did not run its executor immediately.');
  return { promise, ...settle };
};

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('The directory of the checkout is missing. Pass it as the first argument.');
const checkout = (await import(pathToFileURL(join(directory, 'src', 'index.ts')).href)) as { serve(port: number): Promise<unknown> };
const port = await findFreePort();
await checkout.serve(port);
process.stdout.write(`http://localhost:${port}\n`);

/** The checkout does not report the port that it chose for 0. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const found = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return found;
}
