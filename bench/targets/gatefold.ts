import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchRoot } from './paths.ts';
import { type Launch, type Target, type TargetContext, TargetMissing } from './target.ts';

/**
 * Budget for the benchmark. All load comes from one address. Its budget is counted as usual but is never exhausted. The big query contains
 * nested lists whose sizes the schema does not declare, so each is estimated with ten items.
 */
const AMPLE_BUDGET = {
  // Some loads vary the page size in the millions, so that each operation is different.
  GATEFOLD_LIMITS__MAX_COST: '1000000000',
  GATEFOLD_LIMITS__MODES__PAGE_SIZE: 'measure',
  GATEFOLD_BUDGET__ANONYMOUS__CAPACITY: '1000000000',
  GATEFOLD_BUDGET__ANONYMOUS__REFILL_PER_SECOND: '1000000000',
};

/** The product as shipped: the built command in the production profile, with all features enabled. */
export const gatefold: Target = {
  name: 'gatefold',
  about: 'gatefold serve',
  launch: (context) => serve(context.gatefold, context),
};

/** The build of another checkout, measured alternately with the build of this one. */
export const gatefoldBefore = (checkout: string): Target => ({
  name: 'gatefold-before',
  about: 'gatefold serve, of the checkout that --before names',
  launch: (context) => serve(checkout, context, process.env['BENCH_BEFORE_NODE']),
});

/** @param node Node binary. @defaultValue The binary of this process. */
function serve(root: string, { supergraphFile, port, directory }: TargetContext, node: string = process.execPath): Launch {
  const main = join(root, 'dist/cli/main.js');
  if (!existsSync(main)) throw new TargetMissing(`${main} is not built`);
  const where = ['--supergraph', supergraphFile, '--port', String(port), '--internal-port', '0'];
  return { command: [node, main, 'serve', ...where], cwd: directory, env: AMPLE_BUDGET };
}

/** The same engine as the `gateway` of an Apollo Server on node:http. */
export const gatefoldApollo: Target = {
  name: 'gatefold-apollo',
  about: 'createApolloGateway in Apollo Server 5 on node:http',
  launch(context): Launch {
    const module = join(context.gatefold, 'dist/gateway/apollo-server/index.js');
    if (!existsSync(module)) throw new TargetMissing('the build has no gateway/apollo-server');
    return {
      command: [process.execPath, join(benchRoot, 'servers/apollo-endpoint.js'), JSON.stringify({ ...context, module })],
    };
  },
};
