import { createGateway } from '../../dist/gateway/index.js';

// The gateway with a configuration of one's own.

const gateway = await createGateway(JSON.parse(process.argv[2]).config);
await gateway.listen();
