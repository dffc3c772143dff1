import { PlainResponse } from '../../../gateway/platform/http/plain/plain-response.ts';
import { startShopGraph } from '../../fixtures/shop-graph.ts';
import { MAX_BODY_BYTES } from './generate-case.ts';
import type { GatewayFigures } from './start-gateway.ts';

/**
 * Runs a gateway in a separate process: `gateway-process.ts <whether it reads plain requests itself>`. Sends its URL, and its
 * figures in response to each message.
 */
const graph = await startShopGraph({
  config: {
    server: {
      plainReader: process.argv[2] === 'true',
      maxBodyBytes: MAX_BODY_BYTES,
      // Shedding depends on the load of the machine.
      overload: { enabled: false },
    },
  },
});

let plainResponses = 0;
const { end } = PlainResponse.prototype;
PlainResponse.prototype.end = function countedEnd(this: PlainResponse, chunk) {
  plainResponses += 1;
  return end.call(this, chunk);
};

function figures(): GatewayFigures {
  return { plainResponses, sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length };
}

process.on('message', () => process.send?.(figures()));
process.send?.(graph.url);
