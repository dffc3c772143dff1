import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { followCertificate } from '../../../../../gateway/http/server/follow-certificate.ts';
import type { GatewayConfigInput } from '../../../../../gateway/index.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { startLibraryGateway } from '../../../../fixtures/library-graph.ts';
import { sharedByTests } from '../../../../support/stack/shared-by-tests.ts';

const certificates = new URL('../../subgraph-client/certificates/', import.meta.url);
const pathOf = (name: string) => fileURLToPath(new URL(`${name}.pem`, certificates));

let directory: string;
const certificateFile = () => join(directory, 'certificate.pem');
const keyFile = () => join(directory, 'key.pem');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-tls-'));
  await copyFile(pathOf('server'), certificateFile());
  await copyFile(pathOf('server-key'), keyFile());
});

afterEach(() => rm(directory, { recursive: true }));

type Server = Omit<NonNullable<GatewayConfigInput['server']>, 'port' | 'internalPort'>;

const start = (server: Server, config: Partial<GatewayConfigInput> = {}) =>
  startLibraryGateway({ config: { ...config, server: { ...server, port: 0, internalPort: 0 } } });

const tlsFiles = () => ({ tls: { certificateFile: certificateFile(), keyFile: keyFile() } });

interface ReceivedResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

async function query(url: string, path: string, options: RequestOptions & { body?: string } = {}): Promise<ReceivedResponse> {
  const { body, ...rest } = options;
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = send(new URL(path, url), { rejectUnauthorized: false, ...rest } as RequestOptions).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const content = await text(response);
  return { status: response.statusCode, headers: response.headers, body: content === '' ? {} : JSON.parse(content) };
}

const QUERY = '/graphql?query={__typename}';

describe('a TLS listener', () => {
  it('sends no response to plain HTTP', async () => {
    await using library = await start(tlsFiles());
    const { port } = new URL(library.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    const received = await text(socket).catch(() => '');
    expect(received).not.toContain('HTTP/1.1');
  });

  it('serves a client without a certificate, and sends HSTS on this listener only', async () => {
    await using library = await start(tlsFiles());
    expect(library.url).toMatch(/^https:/);
    expect(library.internalUrl).toMatch(/^http:/); // The internal listener is on the loopback address.
    const ca = await readFile(pathOf('ca'));
    const response = await query(library.url, QUERY, { ca, rejectUnauthorized: true, servername: 'stock.test' });
    expect(response).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
    expect((await query(library.internalUrl, '/health')).headers['strict-transport-security']).toBeUndefined();
  });

  it('sends no HSTS header when it is disabled', async () => {
    await using library = await start({ ...tlsFiles(), hstsMaxAgeSeconds: 0 });
    expect((await query(library.url, QUERY)).headers['strict-transport-security']).toBeUndefined();
  });

  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const)('rejects a client of at most %s when TLS 1.3 is required', async (version) => {
    await using library = await start({ tls: { ...tlsFiles().tls, minVersion: 'TLSv1.3' } });
    await expect(query(library.url, QUERY, { minVersion: 'TLSv1', maxVersion: version })).rejects.toThrow();
    expect((await query(library.url, QUERY)).status).toBe(200);
  });

  it('uses replaced certificate files for new connections and retains open ones', async () => {
    await using library = await start(tlsFiles());
    const { port } = new URL(library.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const subject = async (): Promise<string> => {
      const socket: TLSSocket = connectTls({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const name = String(socket.getPeerCertificate().subject.CN);
      socket.destroy();
      return name;
    };
    expect((await query(library.url, QUERY, { agent })).status).toBe(200);
    const [standing] = Object.values(agent.freeSockets).flat();
    expect(await subject()).toBe('server of the tests');
    // No tool can replace two files at once, so certificate and key do not match for a moment.
    await copyFile(pathOf('client'), certificateFile());
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await subject()).toBe('server of the tests');
    await copyFile(pathOf('client-key'), keyFile());
    while ((await subject()) === 'server of the tests') await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await query(library.url, QUERY, { agent })).status).toBe(200);
    expect(Object.values(agent.freeSockets).flat()).toEqual([standing]);
    agent.destroy();
  });

  it('retains the certificate when its file becomes invalid', async () => {
    await using library = await start(tlsFiles());
    await writeFile(certificateFile(), 'nonsense');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await query(library.url, QUERY)).status).toBe(200);
  });

  it.each([
    ['a missing certificate', () => rm(certificateFile()), 'server.tls.certificateFile: .*the file does not exist'],
    ['an invalid certificate', () => writeFile(certificateFile(), 'x'), 'server.tls.certificateFile: .*it is not in PEM format'],
    [
      'the key of another certificate',
      () => copyFile(pathOf('client-key'), keyFile()),
      'server.tls: the certificate and the key are invalid or do not match',
    ],
  ])('reports %s at startup', async (_case, spoil, message) => {
    await spoil();
    expect(() => followCertificate({ ...tlsFiles().tls, minVersion: 'TLSv1.2' }, silentLogger)).toThrow(new RegExp(message));
  });

  it('closes without waiting for a client that sends nothing', async () => {
    const library = await start({ ...tlsFiles(), headersTimeoutMs: 600_000 });
    const { port } = new URL(library.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await library[Symbol.asyncDispose]();
    socket.destroy();
    await closed;
  });
});

describe('a listener behind TLS proxies', () => {
  const PRODUCTION = { profile: 'production', auth: {}, budget: { mode: 'off' } } as const;
  const behindUs = sharedByTests(async () => start({ trustedProxies: ['127.0.0.0/8'] }, PRODUCTION));
  const behindOthers = sharedByTests(async () => start({ trustedProxies: ['10.0.0.0/8'] }, PRODUCTION));

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['plain HTTP', { 'x-forwarded-proto': 'http' }],
    ['plain HTTP after TLS from the client', { 'x-forwarded-proto': 'https, http' }],
    ['nonsense', { 'x-forwarded-proto': 'https://' }],
    ['an empty value', { 'x-forwarded-proto': '' }],
    ['TLS in another header', { forwarded: 'proto=https', 'x-forwarded-ssl': 'on', 'front-end-https': 'on' }],
  ])('rejects a query without a redirect when the proxy reports %s', async (_case, headers) => {
    const library = behindUs();
    for (const [method, body] of [['GET'], ['POST', '{"query":"{__typename}"}']] as const) {
      const response = await query(library.url, method === 'GET' ? QUERY : '/graphql', {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      expect(response).toMatchObject({
        status: 403,
        body: { errors: [{ message: expect.stringContaining('HTTPS'), extensions: { code: 'TLS_REQUIRED' } }] },
      });
      expect(response.headers).not.toHaveProperty('location');
      expect(response.headers).not.toHaveProperty('strict-transport-security');
      expect(response.headers['x-correlation-id']).toBe(
        (response.body['errors'] as { extensions: { requestId: string } }[])[0]?.extensions.requestId,
      );
    }
  });

  it('rejects plain HTTP on other paths with a flat error body', async () => {
    const library = behindUs();
    expect(await query(library.url, '/books')).toMatchObject({ status: 403, body: { error: 'TLS_REQUIRED', traceId: expect.any(String) } });
  });

  it('ignores the protocol that a client reports when it is not a trusted proxy', async () => {
    const library = behindOthers();
    expect((await query(library.url, QUERY, { headers: { 'x-forwarded-proto': 'https' } })).status).toBe(403);
  });

  it.each(['https', 'HTTPS', 'http, https'])('serves a query when the proxy reports %s', async (scheme) => {
    const library = behindUs();
    expect(await query(library.url, QUERY, { headers: { 'x-forwarded-proto': scheme } })).toMatchObject({
      status: 200,
      headers: { 'strict-transport-security': 'max-age=31536000' },
    });
  });

  it.each(['/health', '/health/live', '/health/ready', '/health?x=1'])(
    'serves a health check at %s that bypasses the proxy',
    async (path) => {
      const library = behindOthers();
      expect((await query(library.url, path)).status).toBe(200);
      expect((await query(library.url, '/', { path: `${path}/../graphql` })).status).toBe(path.includes('?') ? 200 : 403);
    },
  );

  it('serves plain HTTP in the dev profile even if a proxy is declared', async () => {
    await using library = await start({ trustedProxies: ['10.0.0.0/8'] });
    expect((await query(library.url, QUERY)).status).toBe(200);
  });
});
