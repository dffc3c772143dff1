import { createGateway } from '../../dist/gateway/index.js';

// The gateway with an in-process subgraph. The measured requests never reach it.

const { port, supergraph, text, config } = JSON.parse(process.argv[2]);

const response = { data: { page: { text } } };
const executor = Object.assign(async () => response, { [Symbol.asyncDispose]: async () => {} });
const gateway = await createGateway(
  { ...config, server: { port, internalPort: 0 }, supergraph: { sdl: supergraph } },
  { subgraphExecutor: () => executor },
);
await gateway.listen();
