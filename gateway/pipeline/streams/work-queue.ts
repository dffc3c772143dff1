/** Queue of items that are processed one after another, in the order of arrival. */
export interface WorkQueue<Item> {
  /** Number of waiting items, without the one in progress. */
  readonly size: number;
  push(item: Item): void;
  clear(): void;
}

/**
 * Creates the queue.
 *
 * @param work processes an item; must not reject
 * @param onIdle called when no item is left
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
