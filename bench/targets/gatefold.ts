import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchRoot } from './paths.ts';
import { type Launch, type Target, type TargetContext, TargetMissing } from './target.ts';

/**
 * Budget for the benchmark. All load comes from one address. Its budget is counted as usual but is never exhausted. The big query contains
 * nested lists whose sizes the schema does not declare, so each is estimated with ten items.
 */
const AMPLE_BUDGET = {
  GATEFOLD_LIMITS__MAX_COST: '100000',
  GATEFOLD_BUDGET__ANONYMOUS__CAPACITY: '1000000000',
  GATEFOLD_BUDGET__ANONYMOUS__REFILL_PER_SECOND: '1000000000',
};

/** Some loads vary the argument `first` in the millions, so that each operation is different. It must not count as a page size. */
const SLICING_ARGUMENTS = 'GATEFOLD_LIMITS__SLICING_ARGUMENTS';

/** Indexes of supergraphs are stored with the other files of the target, so that the first start of each measurement creates them. */
const INDEX_DIRECTORY = 'GATEFOLD_SUPERGRAPH__INDEX_DIRECTORY';

/** Returns the settings of a checkout. Older versions reject settings that they do not know. */
function settingsOf(checkout: string, directory: string): Readonly<Record<string, string>> {
  const known = readFileSync(join(checkout, 'docs/reference/configuration.md'), 'utf8');
  return {
    ...AMPLE_BUDGET,
    ...(known.includes(SLICING_ARGUMENTS) ? { [SLICING_ARGUMENTS]: '[]' } : {}),
    ...(known.includes(INDEX_DIRECTORY) ? { [INDEX_DIRECTORY]: join(directory, 'indexes') } : {}),
  };
}

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

/** The product with all telemetry, of which a share of the traces is sent to a collector. */
export const gatefoldWithTelemetry = (name: 'gatefold-sampled' | 'gatefold-traced', ratio: number, collector: string): Target => ({
  name,
  about: `gatefold serve with metrics, and ${ratio * 100} % of the traces`,
  launch(context) {
    const launch = serve(context.gatefold, context);
    const telemetry = {
      GATEFOLD_TELEMETRY__METRICS__PROMETHEUS: 'true',
      GATEFOLD_TELEMETRY__TRACES__URL: collector,
      GATEFOLD_TELEMETRY__TRACES__RATIO: String(ratio),
      GATEFOLD_TELEMETRY__TRACES__MAX_QUEUED_SPANS: '200000',
    };
    return { ...launch, env: { ...launch.env, ...telemetry } };
  },
});

/** @param node Node binary. @defaultValue The binary of this process. */
function serve(root: string, { supergraphFile, port, directory }: TargetContext, node: string = process.execPath): Launch {
  const main = join(root, 'dist/cli/main.js');
  if (!existsSync(main)) throw new TargetMissing(`${main} is not built`);
  const where = ['--supergraph', supergraphFile, '--port', String(port), '--internal-port', '0'];
  return { command: [node, main, 'serve', ...where], cwd: directory, env: settingsOf(root, directory) };
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
