import { IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes connections over from HTTP. */
export interface UpgradeHandler {
  /**
   * Whether a request asks for a protocol that is spoken at its target. Every other offer is ignored, and the request answered as if it had
   * not been made (RFC 9110, section 7.8).
   */
  wants(request: IncomingMessage): boolean;
  /** The responses to earlier requests of the connection have been sent. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Holds what the parser says of a request. Declared without a value: `IncomingMessage` writes it before fields are initialized. */
const offered = Symbol('offered');

interface Offering {
  [offered]?: boolean | null;
}

/**
 * A class of requests whose property `upgrade` is true only for those that `handler` wants. Node reads it when the headers are there, and
 * takes a request out of HTTP when it is true and somebody listens for `upgrade`: there is no way back for the connection after that.
 */
export function createUpgradableRequest({ wants }: Pick<UpgradeHandler, 'wants'>): typeof IncomingMessage {
  class UpgradableRequest extends IncomingMessage implements Offering {
    declare [offered]?: boolean | null;

    get upgrade(): boolean {
      return this[offered] === true && (this.method === 'CONNECT' || (this.httpVersion !== '1.0' && wants(this)));
    }

    set upgrade(value: boolean | null) {
      this[offered] = value;
    }
  }
  return UpgradableRequest;
}

/** Offers connections to a handler. @param whenAnswered calls back once the responses to earlier requests are sent */
export function serveUpgrades(
  server: Server,
  handler: Pick<UpgradeHandler, 'take'>,
  whenAnswered: (socket: Duplex, act: () => void) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Sent without waiting for the answer before: two protocols must not write into each other.
    whenAnswered(socket, () => handler.take(request, socket, head));
  });
}
