import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';

/** A gateway in a process of its own, that ends as one does: by SIGTERM. Its configuration comes by message; it says where it listens. */
let gateway: Awaited<ReturnType<typeof createGateway>> | undefined;

process.once('message', (config: GatewayConfigInput) => {
  void createGateway(config).then(async (created) => {
    gateway = created;
    process.send?.(await created.listen());
  });
});
process.once('SIGTERM', () => {
  void gateway?.[Symbol.asyncDispose]().then(() => process.exit(0));
});
process.once('disconnect', () => process.exit());
