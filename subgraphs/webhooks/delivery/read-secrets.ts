import type { EndpointRow } from '../tables.ts';

/** The secrets that sign at the moment, the newest first. @throws SecretUnreadable when none of them opens */
export type ReadSecrets = (endpoint: EndpointRow) => Promise<readonly string[]>;
