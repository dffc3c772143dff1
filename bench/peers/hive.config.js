import { defineConfig } from '@graphql-hive/gateway';

// With HIVE_NATIVE=1, plans and results are made by the native router runtime.

const native = process.env.HIVE_NATIVE === '1' ? await import('@graphql-hive/router-runtime') : undefined;

export const gatewayConfig = defineConfig({
  // Nobody's answer is another client's: what a request costs is to be seen.
  transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
  ...(native === undefined ? {} : { unifiedGraphHandler: native.unifiedGraphHandler }),
});
