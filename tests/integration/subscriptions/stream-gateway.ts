import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';

/**
 * Runs a gateway in a separate process until SIGTERM. The parent sends the configuration as a message, and the process returns its
 * addresses.
 */
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
