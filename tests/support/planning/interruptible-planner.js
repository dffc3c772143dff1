import { createQueryPlanner as createRealPlanner } from '../../../dist/gateway/planning/create-query-planner.js';

/** Creates the planner of this package, which must receive an index. It plans the operation named `Forever` until its thread is stopped. */
export function createQueryPlanner(sdl, options) {
  if (options.index === undefined) throw new Error('The planner has received no index.');
  const planner = createRealPlanner(sdl, options);
  return {
    plan(input) {
      if (input.operationName === 'Forever') for (;;) void input;
      return planner.plan(input);
    },
  };
}
