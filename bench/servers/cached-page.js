import { createGateway } from '../../dist/gateway/index.js';
import { createRestFacade } from '../../dist/rest-facade/index.js';

// The gateway and its REST facade with an in-process subgraph. The measured requests never reach the subgraph. `gatefold serve` passes plain
// requests to the facade in the same way.

const { port, supergraph, text, documents, config } = JSON.parse(process.argv[2]);

const response = { data: { page: { text } } };
const executor = Object.assign(async () => response, { [Symbol.asyncDispose]: async () => {} });
const gateway = await createGateway(
  { ...config, server: { port, internalPort: 0 }, supergraph: { sdl: supergraph } },
  { subgraphExecutor: () => executor },
);
gateway.mount(createRestFacade({ gateway, documents }));
await gateway.listen();
