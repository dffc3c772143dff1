/** Key of the function in the global object that gives the current test file's globals to the module `@jest/globals`. */
export const INSTALL_JEST_GLOBALS = Symbol.for('gatefold.install-jest-globals');
