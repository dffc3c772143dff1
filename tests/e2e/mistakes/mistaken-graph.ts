import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSchema, graphql } from 'graphql';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const ISSUER = 'https://id.example/';
const AUDIENCE = 'films';
/** URL at which nothing listens. */
export const DEAD = 'http://127.0.0.1:1';

const FILMS = `
type Query { films: [Film!]! }
type Subscription { filmAdded: Film }
type Film { id: ID! title: String! similar: [Film!]! }
`;
const REVIEWS = 'type Query { reviews: [Review!] } type Review { id: ID! }';

/** Servers behind a gateway: a subgraph without WebSocket, and keys of an issuer. The subgraph `reviews` is down. */
export interface MistakenGraph extends AsyncDisposable {
  readonly supergraphSdl: string;
  /** Section `auth` with an issuer whose keys are available, one that is down, and one without keys. */
  readonly auth: object;
  /** Signs a token of the issuer whose keys are available, with other claims. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function startMistakenGraph(): Promise<MistakenGraph> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] });
  const films = [{ id: '1', title: 'One', similar: [{ id: '1', title: 'One', similar: [] }] }];
  const schema = buildSchema(FILMS);

  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      if (request.url === '/keys') return void response.end(keys);
      if (request.url !== '/graphql' || request.method !== 'POST') return void response.writeHead(404).end('Nothing here');
      const { query } = JSON.parse(await text(request)) as { readonly query: string };
      const result = await graphql({ schema, source: query, rootValue: { films } });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    };
    void respond();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { supergraphSdl, errors } = composeSubgraphs([
    { name: 'films', url: `${url}/graphql`, files: [{ path: 'films.graphql', text: FILMS }] },
    { name: 'reviews', url: `${DEAD}/graphql`, files: [{ path: 'reviews.graphql', text: REVIEWS }] },
  ]);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  const issuer = (name: string, jwksUrl: string) => ({ issuer: name, audiences: [AUDIENCE], algorithms: ['ES256'], jwksUrl });
  return {
    supergraphSdl,
    auth: {
      providers: {
        jwt: {
          own: issuer(ISSUER, `${url}/keys`),
          down: issuer('https://down.example', `${DEAD}/keys`),
          gone: issuer('https://gone.example', `${url}/gone`),
        },
      },
    },
    sign(claims) {
      const seconds = Math.floor(Date.now() / 1_000);
      const all = { iss: ISSUER, aud: AUDIENCE, sub: '1', iat: seconds, exp: seconds + 600, ...claims };
      return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
