import type { Child } from './start-child.ts';

/** Processes that take the place of one another: one that is killed is replaced by a new one, while the others serve. */
export interface ProcessPool extends AsyncDisposable {
  /** The one that has served longest; undefined while all are starting. */
  first(): Child | undefined;
  /** Any of them, by a number from 0 to below 1; undefined while all are starting. */
  any(chance: number): Child | undefined;
  kill(child: Child): Promise<void>;
  /** Resolves when all are there. */
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
      starting.catch(() => undefined); // told by whoever waits for the whole
    },
    whole: async () => void (await starting),
    async [Symbol.asyncDispose]() {
      await starting.catch(() => undefined);
      await Promise.all(living.map((child) => child.kill()));
    },
  };
}
