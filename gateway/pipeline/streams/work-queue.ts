/** Work that is done one after another, in the order in which it came. */
export interface WorkQueue<Item> {
  /** What waits, not what is being done. */
  readonly size: number;
  push(item: Item): void;
  clear(): void;
}

/**
 * @param work must not be rejected
 * @param onIdle called when nothing is left
 */
export function createWorkQueue<Item>(work: (item: Item) => Promise<void> | void, onIdle: () => void): WorkQueue<Item> {
  let items: Item[] = [];
  let isBusy = false;

  async function run(): Promise<void> {
    isBusy = true;
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      const done = work(item);
      if (done instanceof Promise) await done;
    }
    isBusy = false;
    onIdle();
  }

  return {
    get size() {
      return items.length;
    },
    push(item) {
      items.push(item);
      if (!isBusy) void run();
    },
    clear() {
      items = [];
    },
  };
}
