import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../../../../fixtures/library-graph.ts';
import { openRawWebSocket } from '../../../../../support/websocket/raw-websocket.ts';
import { sendRaw } from '../../../../../support/http/raw-socket.ts';

const certificate = (name: string): string => fileURLToPath(new URL(`../../../subgraph-client/certificates/${name}.pem`, import.meta.url));

const UPGRADE =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
  'sec-websocket-protocol: graphql-transport-ws\r\n';

describe('connections that request a protocol upgrade', () => {
  let library: LibraryGateway;
  afterEach(async () => library[Symbol.asyncDispose]());

  it('serve a request that offers HTTP/2 over TLS, and the one after it', async () => {
    library = await startLibraryGateway({
      config: { server: { tls: { certificateFile: certificate('server'), keyFile: certificate('server-key') } } },
    });
    const socket = connectTls({ port: Number(new URL(library.url).port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const get = (offer: string): string => `GET /graphql?query={__typename} HTTP/1.1\r\nhost: a\r\n${offer}\r\n`;
    socket.write(get('connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n') + get('connection: close\r\n'));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it('open a WebSocket over TLS', async () => {
    library = await startLibraryGateway({
      config: { server: { tls: { certificateFile: certificate('server'), keyFile: certificate('server-key') } } },
    });
    const socket = connectTls({ port: Number(new URL(library.url).port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.write(`GET /graphql HTTP/1.1\r\nhost: a\r\n${UPGRADE}\r\n`);
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toContain('HTTP/1.1 101 ');
    socket.destroy();
  });

  it('return 403 for an unencrypted WebSocket from a proxy if TLS is required', async () => {
    library = await startLibraryGateway({ config: { server: { requireTls: true, trustedProxies: ['127.0.0.1'] } } });
    await expect(openRawWebSocket(library.url)).rejects.toThrow(/HTTP\/1.1 403 [^]*TLS_REQUIRED/);
    await using socket = await openRawWebSocket(library.url, { headers: { 'x-forwarded-proto': 'https' } });
    expect(socket.head).toContain('101');
  });

  it('do not upgrade to WebSocket behind a pending request', async () => {
    library = await startLibraryGateway();
    const first = 'GET /graphql?query={heldBook{id}} HTTP/1.1\r\nhost: a\r\n\r\n';
    const { text } = await sendRaw(library.url, `${first}GET /graphql HTTP/1.1\r\nhost: a\r\n${UPGRADE}\r\n`);
    expect(text).not.toContain('101');
  });

  it('do not affect the gateway if the client disconnects during the handshake', async () => {
    library = await startLibraryGateway();
    const { port } = new URL(library.url);
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`GET /graphql HTTP/1.1\r\nhost: a\r\n${UPGRADE}\r\n`);
      socket.destroy();
    }
    await using socket = await openRawWebSocket(library.url);
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  });
});
