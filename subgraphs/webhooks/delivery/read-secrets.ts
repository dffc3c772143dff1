import type { EndpointRow } from '../tables.ts';

/** The secrets that sign at the moment, the newest first. @throws Error when they cannot be opened */
export type ReadSecrets = (endpoint: EndpointRow) => Promise<readonly string[]>;
