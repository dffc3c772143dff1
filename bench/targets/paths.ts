import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the folder `bench`. */
export const benchRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Path of the checkout that contains it. */
export const checkout = dirname(benchRoot);

/** Path of the third-party packages, which have a separate lock file. */
export const peersRoot = join(benchRoot, 'peers');
