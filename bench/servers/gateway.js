import { createGateway } from '../../dist/gateway/index.js';

// The gateway with a custom configuration.

const gateway = await createGateway(JSON.parse(process.argv[2]).config);
await gateway.listen();
