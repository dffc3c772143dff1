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
  ['is served when no mode is set', {}, undefined],
  ['is rejected when all limits are enforced', { mode: 'enforce' }, 'COST_LIMIT_EXCEEDED'],
  ['is rejected when the cost limit is enforced', { modes: { cost: 'enforce' } }, 'COST_LIMIT_EXCEEDED'],
] as const)('an operation above the cost limit %s', async (_what, limits, code) => {
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
