import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import type { subgraphs } from '../../../../gateway/config/sections/subgraphs.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSubgraphClient } from '../../../../gateway/subgraph-client/create-subgraph-client.ts';
import { NEVER, REQUEST, settingsOf } from '../../../support/subgraphs/fake-subgraph.ts';

type Tls = NonNullable<z.input<typeof subgraphs>['tls']>;

const pathOf = (name: string) => fileURLToPath(new URL(`certificates/${name}.pem`, import.meta.url));
const pemOf = (name: string) => readFileSync(pathOf(name), 'utf8');

/** Starts a subgraph with a certificate for `stock.test` from an unknown authority, and a client. */
async function startSecureSubgraph(tls: Tls, { wantsCertificate = false } = {}) {
  const callers: unknown[] = [];
  let resumed = 0;
  const server = createServer(
    {
      cert: pemOf('server'),
      key: pemOf('server-key'),
      ca: pemOf('ca'),
      requestCert: wantsCertificate,
      rejectUnauthorized: wantsCertificate,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      callers.push(subject?.CN);
      if ((request.socket as TLSSocket).isSessionReused()) resumed += 1;
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"data":{"a":1}}');
    },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const client = createSubgraphClient({
    subgraphs: new Map([['accounts', { name: 'accounts', url }]]),
    settings: settingsOf({ retry: { maxRetries: 0 }, override: { accounts: { tls } } }),
    logger: silentLogger,
  });
  return {
    callers,
    resumed: () => resumed,
    request: () => client(REQUEST, NEVER),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

const TRUSTED: Tls = { caFile: pathOf('ca'), serverName: 'stock.test' };

describe('TLS connections to subgraphs', () => {
  it.each([
    ['an unknown authority', { serverName: 'stock.test' }],
    ['another name than the certificate’s', { caFile: pathOf('ca') }],
  ] as readonly (readonly [string, Tls])[])('throw SUBGRAPH_UNAVAILABLE and send nothing for %s', async (_what, tls) => {
    await using subgraph = await startSecureSubgraph(tls);
    await expect(subgraph.request()).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
    expect(subgraph.callers).toEqual([]);
  });

  it('throw SUBGRAPH_UNAVAILABLE without a required client certificate', async () => {
    await using subgraph = await startSecureSubgraph(TRUSTED, { wantsCertificate: true });
    await expect(subgraph.request()).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
  });

  it('are opened with the configured authority and server name', async () => {
    await using subgraph = await startSecureSubgraph(TRUSTED);
    expect((await subgraph.request()).data).toEqual({ a: 1 });
  });

  it('resume the session of an earlier connection', async () => {
    await using subgraph = await startSecureSubgraph(TRUSTED);
    for (let requested = 0; requested < 3; requested += 1) await subgraph.request();
    expect(subgraph.resumed()).toBe(2);
  });

  it('present the configured client certificate', async () => {
    const tls = { ...TRUSTED, certificateFile: pathOf('client'), keyFile: pathOf('client-key') };
    await using subgraph = await startSecureSubgraph(tls, { wantsCertificate: true });
    expect((await subgraph.request()).data).toEqual({ a: 1 });
    expect(subgraph.callers).toEqual(['client of the tests']);
  });

  it('are opened without verification if it is disabled', async () => {
    await using subgraph = await startSecureSubgraph({ rejectUnauthorized: false });
    expect((await subgraph.request()).data).toEqual({ a: 1 });
  });

  it.each([
    [{ caFile: '/nowhere/ca.pem' }, 'Subgraph "accounts": tls.caFile (/nowhere/ca.pem) cannot be read.'],
    [{ caFile: fileURLToPath(import.meta.url) }, 'is not a PEM file'],
    [{ keyFile: pathOf('client-key') }, 'Subgraph "accounts": tls.certificateFile and tls.keyFile must be set together.'],
    [
      { certificateFile: pathOf('server'), keyFile: pathOf('client-key') },
      'Subgraph "accounts": the files of its TLS settings are invalid or do not match.',
    ],
  ] as readonly (readonly [Tls, string])[])('cannot be configured with %j, and the error shows the reason', (tls, message) => {
    const create = () =>
      createSubgraphClient({
        subgraphs: new Map([['accounts', { name: 'accounts', url: 'https://accounts.invalid' }]]),
        settings: settingsOf({ tls }),
        logger: silentLogger,
      });
    expect(create).toThrow(message);
  });
});
