/** Key of the function in the global object that passes the globals of the current test file to the module `@jest/globals`. */
export const INSTALL_JEST_GLOBALS = Symbol.for('gatefold.install-jest-globals');
