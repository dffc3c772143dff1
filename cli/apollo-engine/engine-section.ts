import { z } from 'zod';

/** Configuration section `engine`, which selects the software that executes operations. */
export const engineSection = z.strictObject({
  name: z.enum(['gatefold', 'apollo']).default('gatefold').meta({
    description:
      'Software that executes operations: `gatefold`, or `apollo` for the stock `ApolloGateway` in `ApolloServer` behind Express. Command line: `--engine`.',
  }),
  rules: z.enum(['refuse', 'subgraphs']).default('refuse').meta({
    description:
      'Behavior of `apollo` for a supergraph with `@auth` or `@creatorMayRead`, which this engine does not enforce. `refuse` aborts the start. `subgraphs` serves the supergraph; use it only if each subgraph enforces the rules based on the identity header. A supergraph with `@authenticated`, `@requiresScopes` or `@policy` always aborts the start, because the stock gateway cannot load it.',
  }),
  subscriptions: z.enum(['refuse', 'omit']).default('refuse').meta({
    description:
      'Behavior of `apollo` for a supergraph or REST documents with subscriptions, which this engine does not serve. `refuse` aborts the start. `omit` serves everything else.',
  }),
});

/** The parsed section. */
export type EngineConfig = Readonly<z.output<typeof engineSection>>;
