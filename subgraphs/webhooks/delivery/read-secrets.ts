import type { EndpointRow } from '../tables.ts';

/** Returns the current signing secrets, newest first. @throws SecretUnreadable when none of them can be decrypted */
export type ReadSecrets = (endpoint: EndpointRow) => Promise<readonly string[]>;
