import { INSTALL_JEST_GLOBALS } from './jest-globals-symbol.js';

// Stands in for the package `@jest/globals`. Modules that several test files share keep their import of it, so the bindings change
// with each test file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

globalThis[INSTALL_JEST_GLOBALS] = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
};
