import { releaseReferenceStack } from './hold-reference-stack.js';

export default () => releaseReferenceStack('pglite');
