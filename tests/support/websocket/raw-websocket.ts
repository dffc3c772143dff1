import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A frame on the wire (RFC 6455, section 5.2). */
export interface Frame {
  /** @defaultValue 1, text */
  readonly opcode?: number;
  readonly payload?: string | Buffer;
  /** @defaultValue true */
  readonly isLast?: boolean;
  /** Bits that only extensions may set. @defaultValue 0 */
  readonly reserved?: number;
  /** @defaultValue true, as clients must */
  readonly isMasked?: boolean;
}

export interface Closing {
  /** 1006 when the socket ended without a closing frame. */
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket client that follows only the rules that a test wants. */
export interface RawWebSocket extends AsyncDisposable {
  /** Headers of the response to the upgrade. */
  readonly head: string;
  /** Sends a text frame with JSON. */
  send(message: unknown): void;
  sendFrame(frame: Frame): void;
  sendBytes(bytes: Buffer): void;
  /** Returns the next message of the server, parsed as JSON. @throws Error when the socket ends, or nothing arrives in time */
  next<Message = AnyMessage>(): Promise<Message>;
  /** Received messages that were not read. */
  readonly waiting: readonly AnyMessage[];
  /** Resolves when the server has closed. */
  readonly closed: Promise<Closing>;
  /** Stops reading, so that the messages of the server remain in its buffers. */
  pause(): void;
  resume(): void;
}

export type AnyMessage = Readonly<Record<string, unknown>>;

export interface RawWebSocketOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue graphql-transport-ws */
  readonly subprotocol?: string | undefined;
  /** Whether it responds to pings. @defaultValue true */
  readonly respondsToPings?: boolean;
  /** @defaultValue /graphql */
  readonly path?: string;
}

/** Maximum wait of a test for an expected message. @unit milliseconds */
const PATIENCE_MS = 5_000;

const PING = 9;
const PONG = 10;
const CLOSE = 8;

/** @throws Error with the status line when the upgrade is rejected */
export async function openRawWebSocket(origin: string, options: RawWebSocketOptions = {}): Promise<RawWebSocket> {
  const { subprotocol = 'graphql-transport-ws', respondsToPings = true, path = '/graphql' } = options;
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const headers = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...(subprotocol === '' ? {} : { 'sec-websocket-protocol': subprotocol }),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const { head, rest } = await readHead(socket);
  if (!head.startsWith('HTTP/1.1 101')) {
    const body = await readBody(socket, head, rest);
    throw new Error(`${head}\r\n\r\n${body}`);
  }
  return speak(socket, head, rest, respondsToPings);
}

function speak(socket: Socket, head: string, rest: Buffer, respondsToPings: boolean): RawWebSocket {
  const waiting: AnyMessage[] = [];
  const requested: { readonly resolve: (message: AnyMessage) => void; readonly reject: (error: Error) => void }[] = [];
  let closing: Closing = { code: 1006, reason: '' };
  let buffer: Buffer = rest;
  let isOver = false;

  const sendFrame = (frame: Frame): void => {
    if (!socket.destroyed) socket.write(writeFrame(frame));
  };

  const receive = (message: AnyMessage): void => {
    const first = requested.shift();
    if (first === undefined) waiting.push(message);
    else first.resolve(message);
  };

  const read = (): void => {
    for (;;) {
      const frame = takeFrame(buffer);
      if (frame === undefined) return;
      buffer = frame.rest;
      if (frame.opcode === CLOSE) {
        closing = { code: frame.payload.length < 2 ? 1005 : frame.payload.readUInt16BE(0), reason: frame.payload.toString('utf8', 2) };
        sendFrame({ opcode: CLOSE, payload: frame.payload.subarray(0, 2) });
        socket.end();
      } else if (frame.opcode === PING && respondsToPings) sendFrame({ opcode: PONG, payload: frame.payload });
      else if (frame.opcode === 1) receive(JSON.parse(frame.payload.toString()) as AnyMessage);
    }
  };

  const closed = new Promise<Closing>((resolve) => {
    socket.on('close', () => {
      isOver = true;
      for (const one of requested.splice(0)) one.reject(new Error(`The socket was closed with ${closing.code}: ${closing.reason}`));
      resolve(closing);
    });
  });
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    read();
  });
  socket.on('error', () => socket.destroy());
  read();
  return {
    head,
    waiting,
    closed,
    send: (message) => sendFrame({ payload: JSON.stringify(message) }),
    sendFrame,
    sendBytes: (bytes) => void socket.write(bytes),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    next<Message>() {
      const known = waiting.shift();
      if (known !== undefined) return Promise.resolve(known as Message);
      if (isOver) return Promise.reject(new Error(`The socket was closed with ${closing.code}: ${closing.reason}`));
      return new Promise<Message>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('No message arrived.')), PATIENCE_MS);
        const settle =
          <Value>(act: (value: Value) => void) =>
          (value: Value): void => {
            clearTimeout(timer);
            act(value);
          };
        requested.push({ resolve: settle(resolve as (message: AnyMessage) => void), reject: settle(reject) });
      });
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await closed;
    },
  };
}

/** Returns the bytes of a frame. */
export function writeFrame({ opcode = 1, payload = '', isLast = true, reserved = 0, isMasked = true }: Frame): Buffer {
  const body = Buffer.from(payload as string);
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const masked = isMasked ? Buffer.from(body.map((byte, index) => byte ^ (mask[index % 4] ?? 0))) : body;
  return Buffer.concat([Buffer.from([first]), lengthOf(body.length, isMasked), mask, masked]);
}

function lengthOf(length: number, isMasked: boolean): Buffer {
  const bit = isMasked ? 0x80 : 0;
  if (length < 126) return Buffer.from([bit | length]);
  if (length < 65_536) return Buffer.from([bit | 126, length >> 8, length & 0xff]);
  const long = Buffer.alloc(9);
  long[0] = bit | 127;
  long.writeBigUInt64BE(BigInt(length), 1);
  return long;
}

/** Reads a frame of a server, which is not masked. Returns undefined while it is incomplete. */
function takeFrame(buffer: Buffer): { readonly opcode: number; readonly payload: Buffer; readonly rest: Buffer } | undefined {
  if (buffer.length < 2) return undefined;
  const opcode = (buffer[0] ?? 0) & 0x0f;
  const short = (buffer[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (buffer.length < start) return undefined;
  const length = short === 126 ? buffer.readUInt16BE(2) : short === 127 ? Number(buffer.readBigUInt64BE(2)) : short;
  if (buffer.length < start + length) return undefined;
  return { opcode, payload: buffer.subarray(start, start + length), rest: buffer.subarray(start + length) };
}

function readHead(socket: Socket): Promise<{ readonly head: string; readonly rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      buffer = Buffer.concat([buffer, chunk]);
      const end = buffer.indexOf('\r\n\r\n');
      if (end === -1) return;
      socket.off('data', onData).off('error', reject).off('close', onClose);
      resolve({ head: buffer.toString('latin1', 0, end), rest: buffer.subarray(end + 4) });
    };
    const onClose = (): void => reject(new Error('The connection was closed before the response to the upgrade.'));
    socket.on('data', onData).on('error', reject).on('close', onClose);
  });
}

function readBody(socket: Socket, head: string, rest: Buffer): Promise<string> {
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return new Promise((resolve) => {
    let body = rest;
    const look = (): void => {
      if (body.length >= length) socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => {
      body = Buffer.concat([body, chunk]);
      look();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(body.toString()));
    look();
  });
}
