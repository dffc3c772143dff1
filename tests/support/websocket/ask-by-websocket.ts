import { type AnyMessage, openRawWebSocket } from './raw-websocket.ts';

/** The one answer to a request that came by a socket of its own: a response, or the errors with which it was refused. */
export async function askByWebSocket(origin: string, payload: object): Promise<AnyMessage> {
  const socket = await openRawWebSocket(origin);
  try {
    socket.send({ type: 'connection_init' });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload });
    const { type, payload: told } = await socket.next<{ readonly type: string; readonly payload: AnyMessage }>();
    return type === 'error' ? { errors: told } : told;
  } finally {
    await socket[Symbol.asyncDispose]();
  }
}
