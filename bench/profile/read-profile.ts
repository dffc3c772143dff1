/** The parts of a V8 profile that are used here. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Times since the previous sample. @unit microseconds */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface MemoryProfile {
  readonly head: MemoryNode;
}

interface MemoryNode {
  readonly id: number;
  readonly callFrame: ProfileNode['callFrame'];
  /** @unit bytes */
  readonly selfSize: number;
  readonly children: readonly MemoryNode[];
}

/** Time of one function. */
export interface FunctionTime {
  readonly name: string;
  /** Location as `file:line`, shortened; empty for functions of V8. */
  readonly position: string;
  /** Group of the function: a folder of Gatefold, a part of Node or a package. */
  readonly group: string;
  /** Time in the function itself. @unit share of the time that was not idle */
  readonly self: number;
  /** Time including callees. @unit share of the time that was not idle */
  readonly total: number;
}

/** Reads the bytes allocated by all functions, in the same format. */
export function readMemoryProfile(text: string): { readonly functions: readonly FunctionTime[]; readonly bytes: number } {
  const { head } = JSON.parse(text) as MemoryProfile;
  const all: MemoryNode[] = [];
  const collect = (node: MemoryNode): void => {
    all.push(node);
    node.children.forEach(collect);
  };
  collect(head);
  return {
    functions: readProfile({
      nodes: all.map(({ id, callFrame, children }) => ({ id, callFrame, children: children.map((child) => child.id) })),
      samples: all.map(({ id }) => id),
      timeDeltas: all.map(({ selfSize }) => selfSize),
    }),
    bytes: sum(all.map(({ selfSize }) => selfSize)),
  };
}

/** Reads the times of all functions. */
export function readCpuProfile(text: string): readonly FunctionTime[] {
  return readProfile(JSON.parse(text) as CpuProfile);
}

/** Computes the times of all functions, without idle time. */
function readProfile({ nodes, samples, timeDeltas }: CpuProfile): readonly FunctionTime[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const selfOfNode = new Map<number, number>();
  for (const [index, id] of samples.entries()) selfOfNode.set(id, (selfOfNode.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  const timeWithin = ({ id, children = [] }: ProfileNode): number =>
    (selfOfNode.get(id) ?? 0) + sum(children.flatMap((child) => byId.get(child) ?? []).map(timeWithin));
  const idle = sum(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => selfOfNode.get(id) ?? 0));
  const busy = sum([...selfOfNode.values()]) - idle - sum(nodes.filter(({ callFrame }) => isProfiler(callFrame.url)).map(timeWithin));

  const times = new Map<string, { frame: ProfileNode['callFrame']; self: number; total: number }>();
  const entryOf = ({ callFrame: frame }: ProfileNode) => {
    const key = `${frame.functionName} ${frame.url} ${frame.lineNumber}`;
    const known = times.get(key);
    if (known !== undefined) return known;
    const entry = { frame, self: 0, total: 0 };
    times.set(key, entry);
    return entry;
  };
  // A recursive function counts once in its total.
  const walk = (node: ProfileNode, above: ReadonlySet<object>): number => {
    if (isProfiler(node.callFrame.url)) return 0;
    const entry = entryOf(node);
    const own = selfOfNode.get(node.id) ?? 0;
    const inside = above.has(entry) ? above : new Set([...above, entry]);
    const children = (node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    const total = own + sum(children.map((child) => walk(child, inside)));
    entry.self += own;
    if (!above.has(entry)) entry.total += total;
    return total;
  };
  const [root] = nodes;
  if (root !== undefined) walk(root, new Set());
  return [...times.values()]
    .filter(({ frame }) => !['(idle)', '(root)'].includes(frame.functionName) && !isProfiler(frame.url))
    .map(({ frame, self, total }) => ({
      name: frame.functionName === '' ? '(anonymous)' : frame.functionName,
      position: frame.url === '' ? '' : `${shorten(frame.url)}:${frame.lineNumber + 1}`,
      group: groupOf(frame.functionName, frame.url),
      self: self / busy,
      total: total / busy,
    }));
}

/** Starting and stopping the profiler is not part of a request. */
function isProfiler(url: string): boolean {
  return url.endsWith('/profile-on-signal.js');
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0);
}

function shorten(url: string): string {
  return url.replace(/^.*\/(?:dist|node_modules)\//, '');
}

const NODE_HTTP = /^node:(?:_http|internal\/http|net$|internal\/net|internal\/stream|_stream|internal\/timers|timers|internal\/js_stream)/;

function groupOf(name: string, url: string): string {
  const [, layer] = /\/dist\/((?:gateway|rest-facade|cli)(?:\/[a-z-]+(?=\/))?)/.exec(url) ?? [];
  if (layer !== undefined) return layer;
  const [, packageName] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
  if (packageName !== undefined) return packageName;
  if (url.startsWith('wasm:') || name.includes('wasm')) return 'undici'; // The response parser of undici
  if (NODE_HTTP.test(url)) return 'node http, streams, timers';
  if (url.startsWith('node:')) return 'node, other';
  if (name === '(garbage collector)') return 'garbage collection';
  if (name === 'parse' || name === 'stringify') return 'JSON';
  if (name === '(program)') return 'outside of JavaScript (system calls, HTTP parser)';
  return url === '' ? 'V8 built-ins and native code' : 'compiled code';
}
