import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

/** Signals by connection. Requests of a connection end with it, and one signal for each request costs more than parsing its JSON. */
const disconnectSignals = new WeakMap<Socket, AbortSignal>();

/** Returns a signal that is aborted when the client disconnects. Requests of one connection share it, so listeners must be removed. */
export function clientDisconnectSignal(socket: Socket): AbortSignal {
  const known = disconnectSignals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  setMaxListeners(Infinity, controller.signal); // A client may send many requests without waiting for a response.
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  disconnectSignals.set(socket, controller.signal);
  return controller.signal;
}
