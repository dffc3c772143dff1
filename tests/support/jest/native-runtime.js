import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { register as registerTypeScript } from 'tsx/esm/api';
import { INSTALL_JEST_GLOBALS } from './jest-globals-symbol.js';

const require = createRequire(import.meta.url);

registerTypeScript();
register('./resolve-shared.js', import.meta.url);

/** Symbol under which jest-circus stores its event handlers in the global object. */
const CIRCUS_EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const asyncHooks = require('node:async_hooks');
const VALUE = { writable: true, enumerable: true, configurable: true };

/** Storages of jest-circus for the current test file, and the contexts that they had during tests and hooks. */
const circus = { storages: [], contexts: [] };

class StorageOfCircus extends AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    circus.storages.push(this);
  }

  run(context, ...callback) {
    circus.contexts.push(context);
    return super.run(context, ...callback);
  }
}

/**
 * Releases the tests of the last test file for garbage collection. Ports, sockets and promises that were created in a test and still exist
 * refer to its context.
 */
function forgetLastTestFile() {
  delete globalThis[CIRCUS_EVENT_HANDLERS];
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    // Each load of jest-circus creates a new symbol for its tree of tests.
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  for (const storage of circus.storages.splice(0)) storage.disable();
  for (const context of circus.contexts.splice(0)) for (const key of Object.keys(context)) delete context[key];
}

let importCount = 0;

/**
 * Runtime of Jest that imports test files with the module loader of Node. Jest's own runtime compiles and evaluates every module again for
 * each test file, which took a quarter of the processor time of a run. Modules are shared by the test files that run in the same worker: a
 * test may not depend on module state that another test file can change, and mocking of modules is not supported.
 */
class NativeRuntime extends Runtime {
  #globals;

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /**
   * Loads jest-circus again for each test file, because its state is in variables of its modules. The storages of the last file are
   * disabled, because each used one adds work to every promise of the process: a tenth of the processor time of a run.
   */
  requireInternalModule(path) {
    forgetLastTestFile();
    delete require.cache[path];
    // Later versions of Node have an accessor here.
    const own = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { ...VALUE, value: StorageOfCircus });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', own);
    }
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    this.#globals = globals;
  }

  /** Imports a test file, or imports a set-up file and calls its default export. */
  async unstable_importModule(path) {
    // The formatter that Jest installed knows only the source maps of Jest's transforms. Node knows those of the loaded modules.
    delete Error.prepareStackTrace;
    await import('@jest/globals');
    globalThis[INSTALL_JEST_GLOBALS]({ ...this.#globals, jest: this.jestGlobals.jestObjectFor(path) });
    const url = pathToFileURL(path);
    if (path === this._testPath) {
      importCount += 1;
      url.searchParams.set('run', String(importCount));
    }
    const { default: setUp } = await import(url.href);
    if (path !== this._testPath) await setUp?.();
  }
}

export { NativeRuntime as default, NativeRuntime as 'module.exports' };
