import { dirname } from 'node:path';
import config, { onReferenceStack } from '../jest.config.js';

const rootDir = dirname(import.meta.dirname);

/** All tests over HTTP on the embedded database. @type {import('jest').Config} */
export default { ...config, rootDir, projects: [{ ...onReferenceStack('pglite'), rootDir }] };
