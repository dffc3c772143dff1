import { once } from 'node:events';
import { WebSocket } from 'ws';
import { containsOutput } from './match-output.ts';

export interface WebSocketServer {
  /** URL of the endpoint, `ws://…`. */
  readonly url: string;
  readonly token: string;
  /** Causes the event that the subscription of the block receives. */
  triggerEvent(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const TRIGGER_MS = 300;

/**
 * Sends the messages of a block that begin with `>`, and compares the received ones with those that
 * begin with `<`. Returns the differences.
 */
export async function runWebSocketBlock(text: string, server: WebSocketServer): Promise<readonly string[]> {
  const socket = new WebSocket(server.url, 'graphql-transport-ws');
  const received: string[] = [];
  socket.on('message', (data: Buffer) => received.push(data.toString()));
  try {
    await once(socket, 'open');
    for (const line of text.trimEnd().split('\n')) {
      const message = line.slice(2).replace('<token>', server.token);
      if (line.startsWith('> ')) socket.send(message);
      else {
        const actual = await nextMessage(received, message.includes('"next"') ? server : undefined);
        if (!containsOutput(actual, message)) return [`expected ${message}\nreceived ${actual}`];
      }
    }
    return [];
  } finally {
    socket.terminate();
  }
}

async function nextMessage(received: string[], server: WebSocketServer | undefined): Promise<string> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const message = received.shift();
    if (message !== undefined) return message;
    await server?.triggerEvent();
    await new Promise((resolve) => void setTimeout(resolve, TRIGGER_MS));
  }
  return 'no message';
}
