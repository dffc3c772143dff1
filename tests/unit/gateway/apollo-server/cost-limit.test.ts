import { ApolloServer } from '@apollo/server';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApolloGateway } from '../../../../gateway/apollo-server/index.ts';
import { startStorefront, type Storefront } from '../../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

let storefront: Storefront;
beforeAll(async () => {
  storefront = await startStorefront();
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
});

it.each([
  ['nobody has set a mode', {}, undefined],
  ['one is set for all limits', { mode: 'enforce' }, 'COST_LIMIT_EXCEEDED'],
  ['one is set for costs', { modes: { cost: 'enforce' } }, 'COST_LIMIT_EXCEEDED'],
] as const)('given an operation that costs more than the limit, when %s, then it is refused or not', async (_what, limits, code) => {
  const gateway = createApolloGateway({
    supergraphSdl: storefrontSdl(storefront.urls),
    limits: { maxCost: 1, ...limits },
    logger: QUIET,
  });
  const server = new ApolloServer({ gateway, logger: QUIET });
  await server.start();
  try {
    const { body } = await server.executeOperation({ query: '{ products(first: 5) { title } }' });
    const errors = body.kind === 'single' ? body.singleResult.errors : [];
    expect(errors?.[0]?.extensions?.['code']).toBe(code);
  } finally {
    await server.stop();
  }
});
