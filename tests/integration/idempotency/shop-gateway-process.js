import { startGateway } from '../../../dist/cli/start-gateway.js';
import { resolveGatewayConfig } from '../../../dist/gateway/config/resolve-gateway-config.js';
import { restSection } from '../../../dist/rest-facade/index.js';

// This is plain JavaScript on the build output, because a process that is killed a thousand times must start quickly.

/**
 * Starts the gateway and the REST facade like the command line.
 *
 * @param {import('./killable-shop.ts').ShopGatewaySetup} setup
 */
async function start({ config, documents }) {
  const { url } = await startGateway({ ...resolveGatewayConfig(config), rest: restSection.parse({ documents }) });
  process.send({ url });
}

process.once('message', (setup) => void start(setup));
process.once('disconnect', () => process.exit());
