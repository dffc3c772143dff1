import { server } from '../../../gateway/config/sections/server.ts';

/**
 * Sets up each test file: the default of `server.plainReader` is the global `plainReader` of the project, so that the same tests run with
 * and without it. Test files of several projects share the modules of a worker.
 */
export default function chooseWayIn(): void {
  const { def } = server.shape.plainReader;
  const { plainReader = true } = globalThis as { readonly plainReader?: boolean };
  Object.defineProperty(def, 'defaultValue', { configurable: true, enumerable: true, value: plainReader });
}
