import { INSTALL_JEST_GLOBALS } from './jest-globals-symbol.js';

// Replaces the package `@jest/globals`. Modules that several test files share import it once, so its bindings change with each test file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

globalThis[INSTALL_JEST_GLOBALS] = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
};
