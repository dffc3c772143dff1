import { z } from 'zod';

/** The section `engine`: which software runs operations. */
export const engineSection = z.strictObject({
  name: z.enum(['gatefold', 'apollo']).default('gatefold').meta({
    description:
      'Software that runs operations: `gatefold`, or `apollo` for the stock `ApolloGateway` in `ApolloServer` behind Express. Command line: `--engine`.',
  }),
  rules: z.enum(['refuse', 'subgraphs']).default('refuse').meta({
    description:
      'What `apollo` does with a supergraph that has `@auth` or `@creatorMayRead`, which it does not enforce: `refuse` ends the start; `subgraphs` serves it, because each subgraph enforces the rules by the identity header. A supergraph with `@authenticated`, `@requiresScopes` or `@policy` ends the start in any case: the stock gateway does not load it.',
  }),
  subscriptions: z.enum(['refuse', 'omit']).default('refuse').meta({
    description:
      'What `apollo` does with a supergraph or REST documents that have subscriptions, which it does not serve: `refuse` ends the start; `omit` serves the rest.',
  }),
});

/** The section as it was read. */
export type EngineConfig = Readonly<z.output<typeof engineSection>>;
