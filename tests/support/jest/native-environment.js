import { setTimeout } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Time for servers to close after the last test of a file. @unit ms */
const CLOSE_TIMEOUT_MS = 2_000;
const POLL_MS = 20;

/** Environment of Jest that runs test files in the global object of the worker, for `native-runtime.js`. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #globals;
  #listening = countListening();
  #exit = process.exit;
  #console = globalThis.console;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#globals = projectConfig.globals;
  }

  async setup() {
    Object.assign(globalThis, this.#globals);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(this.#globals)) delete globalThis[name];
    process.exit = this.#exit;
    globalThis.console = this.#console;
    await this.#expectClosedServers();
  }

  /**
   * Fails the test file if a server of it still listens. Jest would not exit, without naming the file.
   *
   * @throws Error with the number of servers
   */
  async #expectClosedServers() {
    for (let waited = 0; countListening() > this.#listening && waited < CLOSE_TIMEOUT_MS; waited += POLL_MS) await setTimeout(POLL_MS);
    const open = countListening() - this.#listening;
    if (open > 0) throw new Error(`${open} server(s) still listen after the last test of this file. Close each server that a test opens.`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Counts the TCP servers of this process that prevent its exit. */
function countListening() {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
