/**
 * Compares ways to copy an object and add members to it: the duration, and whether all copies have one shape (hidden class) in V8. Reads
 * from objects with different shapes miss the inline caches. The gateway must not use the ways without one shape for each request.
 *
 * Duration: about 5 seconds
 */
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

setFlagsFromString('--allow-natives-syntax');
const haveOneShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (one: object, other: object) => boolean;

const RUNS = 500_000;
const HEADERS: Record<string, string> = { vary: 'accept', 'content-type': 'application/json', 'cache-control': 'no-store', etag: '"1"' };
const MORE: Record<string, string> = { 'x-correlation-id': 'id', ratelimit: '10', 'ratelimit-policy': '10;w=1' };
const ID = 'x-correlation-id';
const PREPARED: Record<string, string | undefined> = { ...HEADERS, [ID]: undefined };

const WAYS: Readonly<Record<string, (run: string) => object>> = {
  'literal with all members': (run) => ({ vary: HEADERS['vary'], etag: HEADERS['etag'], added: run }),
  'spread, then a new member': (run) => ({ ...HEADERS, added: run }),
  'new member, then a spread': (run) => ({ added: run, ...HEADERS }),
  'spread, then a member that it has': (run) => ({ ...HEADERS, vary: run }),
  'copy, to which a member is added': (run) => {
    const copy: Record<string, string> = { ...HEADERS };
    copy[ID] = run;
    return copy;
  },
  'copy of an object that has the member': (run) => {
    const copy = { ...PREPARED };
    copy[ID] = run;
    return copy;
  },
  'two objects merged by a spread and a loop': () => {
    const merged: Record<string, string | undefined> = { ...HEADERS };
    for (const name in MORE) merged[name] = MORE[name];
    return merged;
  },
  'two objects merged by two loops': () => {
    const merged: Record<string, string | undefined> = {};
    for (const name in HEADERS) merged[name] = HEADERS[name];
    for (const name in MORE) merged[name] = MORE[name];
    return merged;
  },
};

/** Last result, so that the compiler cannot omit the work. */
let result: object = {};

function measure(way: (run: string) => object): number {
  const startedAt = process.hrtime.bigint();
  for (let run = 0; run < RUNS; run += 1) result = way('value');
  return Number(process.hrtime.bigint() - startedAt) / RUNS;
}

console.table(
  Object.entries(WAYS).map(([name, way]) => {
    measure(way);
    const nanoseconds = measure(way);
    return { way: name, 'ns each': Math.round(nanoseconds), 'one shape': haveOneShape(result, way('value')) };
  }),
);
console.log(`Node.js ${process.version}, V8 ${process.versions.v8}`);
