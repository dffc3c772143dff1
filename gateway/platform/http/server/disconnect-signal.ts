import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

/** By connection: what is asked on one goes on as long as it stands, and a signal for each request costs more than its JSON. */
const departures = new WeakMap<Socket, AbortSignal>();

/** Aborted when the client has left. Requests of one connection share it, so listeners are taken back. */
export function departureSignal(socket: Socket): AbortSignal {
  const known = departures.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  setMaxListeners(Infinity, controller.signal); // a client may send many requests without waiting for an answer
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  departures.set(socket, controller.signal);
  return controller.signal;
}
