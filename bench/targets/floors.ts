import { join } from 'node:path';
import { benchRoot } from './paths.ts';
import type { Target, TargetContext, TargetName } from './target.ts';

const floor = (name: TargetName, about: string): Target => ({
  name,
  about,
  launch: (context: TargetContext) => ({ command: [process.execPath, join(benchRoot, `servers/${name}.js`), JSON.stringify(context)] }),
});

/** What could be had without a gateway that knows GraphQL: bounds, not competitors. */
export const floors: readonly Target[] = [
  floor('floor-merged', 'hand-written for these operations: one request per subgraph and wave'),
  floor('floor-proxy', 'one request passed on, one answer passed back'),
  floor('floor-const', 'an answer from memory'),
];
