import { join } from 'node:path';
import { benchRoot } from './paths.ts';
import type { Target, TargetContext, TargetName } from './target.ts';

const floor = (name: TargetName, about: string): Target => ({
  name,
  about,
  launch: (context: TargetContext) => ({ command: [process.execPath, join(benchRoot, `servers/${name}.js`), JSON.stringify(context)] }),
});

/** Lower bounds for the cost without a general GraphQL gateway. They are not competitors. */
export const floors: readonly Target[] = [
  floor('floor-merged', 'hand-written for these operations: one request per subgraph and wave'),
  floor('floor-proxy', 'passes one request and one response through'),
  floor('floor-const', 'a response from memory'),
];
