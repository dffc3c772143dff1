import type { Child } from './start-child.ts';

/** A pool of processes. A killed process is replaced by a new one while the others serve. */
export interface ProcessPool extends AsyncDisposable {
  /** Returns the process that has served longest. Undefined while all are starting. */
  first(): Child | undefined;
  /** Returns a process by a number from 0 to below 1. Undefined while all are starting. */
  any(chance: number): Child | undefined;
  kill(child: Child): Promise<void>;
  /** Resolves when all processes serve. */
  whole(): Promise<void>;
}

export async function openPool(size: number, start: () => Promise<Child>): Promise<ProcessPool> {
  const living = await Promise.all(Array.from({ length: size }, start));
  let starting: Promise<unknown> = Promise.resolve();
  const replace = async (): Promise<void> => void living.push(await start());
  return {
    first: () => living[0],
    any: (chance) => living[Math.floor(chance * living.length)],
    async kill(child) {
      living.splice(living.indexOf(child), 1);
      await child.kill();
      starting = Promise.all([starting, replace()]);
      starting.catch(() => undefined); // The caller of `whole` receives the error.
    },
    whole: async () => void (await starting),
    async [Symbol.asyncDispose]() {
      await starting.catch(() => undefined);
      await Promise.all(living.map((child) => child.kill()));
    },
  };
}
