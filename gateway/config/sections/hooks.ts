import { z } from 'zod';

/** Section `hooks`: code of the operator that runs at fixed points of each request. */
export const hooks = z.strictObject({
  modules: z.array(z.string().min(1)).default([]).meta({
    description:
      'JavaScript modules whose default export is an object with hooks. They run in this order. See docs/guides/hooks.md. TypeScript files need a version of Node.js that removes types itself (22.18 or later).',
    path: true,
  }),
  timeoutMs: z.int().min(1).max(60_000).default(1_000).meta({
    description:
      'Maximum time that an asynchronous hook may take. After it, the operation or the request to the subgraph fails with `GATEWAY_TIMEOUT`.',
    unit: 'milliseconds',
  }),
});

/** Parsed section. */
export type HooksSection = z.output<typeof hooks>;
