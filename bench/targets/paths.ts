import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder `bench`. */
export const benchRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** The checkout that it is part of. */
export const checkout = dirname(benchRoot);

/** Packages of others, with their own lock file. */
export const peersRoot = join(benchRoot, 'peers');
