import { holdReferenceStack } from './hold-reference-stack.js';

export default () => holdReferenceStack('pglite');
