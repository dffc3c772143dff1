import { type AnyMessage, openRawWebSocket } from './raw-websocket.ts';

/** Sends a request on a separate socket and returns its single message: a response, or the errors with which it was rejected. */
export async function queryByWebSocket(origin: string, payload: object): Promise<AnyMessage> {
  const socket = await openRawWebSocket(origin);
  try {
    socket.send({ type: 'connection_init' });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload });
    const { type, payload: reported } = await socket.next<{ readonly type: string; readonly payload: AnyMessage }>();
    return type === 'error' ? { errors: reported } : reported;
  } finally {
    await socket[Symbol.asyncDispose]();
  }
}
