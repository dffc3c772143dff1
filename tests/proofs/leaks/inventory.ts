import { readdir, readFile, rm } from 'node:fs/promises';
import type { CliProcess } from '../../support/process/built-cli.ts';

/** Numbers of what a process holds, by kind and name, such as `object Session`. */
export type Inventory = ReadonlyMap<string, number>;

/**
 * Module that is loaded into the process. At a signal it writes a heap snapshot, after a garbage collection, and prints its name together
 * with the active resources (timers, sockets, …) and the numbers of listeners of the process.
 */
export const INVENTORY_MODULE = `data:text/javascript,${encodeURIComponent(
  `import { writeHeapSnapshot } from 'node:v8';
  let round = 0;
  process.on('SIGWINCH', () => {
    round += 1;
    const listeners = Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
    const resources = process.getActiveResourcesInfo();
    const file = writeHeapSnapshot('round-' + round + '.heapsnapshot');
    console.log('INVENTORY ' + round + ' ' + JSON.stringify({ file, resources, listeners }));
  });`,
)}`;

interface Report {
  readonly file: string;
  readonly resources: readonly string[];
  readonly listeners: Readonly<Record<string, number>>;
}

/** Takes the inventory of a process that has loaded the module. @param directory working directory of the process */
export async function takeInventory(process: CliProcess, round: number, directory: string): Promise<Inventory> {
  process.signal('SIGWINCH');
  const [, text = ''] = await process.waitFor(new RegExp(`INVENTORY ${round} (.*)\n`));
  const { file, resources, listeners } = JSON.parse(text) as Report;
  const path = `${directory}/${file}`;
  const counts = countObjects(await readFile(path, 'utf8'));
  await rm(path);
  const descriptors = await readdir(`/proc/${process.pid}/fd`);
  counts.set('descriptors', descriptors.length);
  for (const resource of resources) counts.set(`resource ${resource}`, (counts.get(`resource ${resource}`) ?? 0) + 1);
  for (const [name, count] of Object.entries(listeners)) counts.set(`listener ${name}`, count);
  return counts;
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[], ...unknown[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

const COUNTED: ReadonlySet<string> = new Set(['object', 'closure', 'native', 'regexp']);

/** Counts the objects of a heap snapshot by constructor, and the closures by name. */
function countObjects(text: string): Map<string, number> {
  const { snapshot, nodes, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const counts = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type] ?? 0] ?? '';
    if (!COUNTED.has(kind)) continue;
    const key = `${kind} ${strings[nodes[at + name] ?? 0] ?? ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Returns what has grown in each round, with its numbers. */
export function growing(rounds: readonly Inventory[]): readonly { readonly what: string; readonly counts: readonly number[] }[] {
  const last = rounds.at(-1) ?? new Map<string, number>();
  return [...last.keys()].flatMap((what) => {
    const counts = rounds.map((round) => round.get(what) ?? 0);
    const isGrowing = counts.every((count, index) => index === 0 || count > (counts[index - 1] ?? 0));
    return isGrowing ? [{ what, counts }] : [];
  });
}
