import { defineConfig } from '@graphql-hive/gateway';

// With HIVE_NATIVE=1, the native router runtime plans and executes operations.

const native = process.env.HIVE_NATIVE === '1' ? await import('@graphql-hive/router-runtime') : undefined;

export const gatewayConfig = defineConfig({
  // Deduplication is disabled, so that every request pays its full cost.
  transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
  ...(native === undefined ? {} : { unifiedGraphHandler: native.unifiedGraphHandler }),
});
