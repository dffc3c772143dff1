import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { cleanEnvironment, watchProcess } from '../../support/process/built-cli.ts';
import { endTogether } from '../../support/process/end-together.ts';
import { freePort } from '../../support/http/free-port.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { REST_DOCUMENTS, composeAttackedGraph } from './attacked-graph.ts';

/** A gateway in a separate process, in front of the subgraphs in another process. */
export interface AttackedGateway extends AsyncDisposable {
  /** Base address, without a path. */
  readonly url: string;
  /** Address of the process of the subgraphs, for requests that bypass the gateway. */
  readonly controlUrl: string;
  readonly pid: number;
  /** File to which the gateway writes its own measurements, see `loop-witness.js`. */
  readonly witness: string;
  /** Creates a bearer token of a user without further roles. */
  tokenOf(subject: string): string;
  /** Returns everything that the gateway has logged. */
  output(): string;
  hasEnded(): boolean;
}

export interface GatewayOptions {
  /** Directory of the checkout that is run. @defaultValue this one */
  readonly checkout?: string | undefined;
  /** Settings instead of defaults, as environment variables. @defaultValue none */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Further arguments of Node: `--cpu-prof`. @defaultValue none */
  readonly nodeArguments?: readonly string[];
}

const DEVELOPMENT_KEY = 'a key that only this proof of attacks knows';

/** Starts a gateway with default limits that enforces budgets. */
export async function startAttackedGateway({
  checkout = packageRoot,
  settings = {},
  nodeArguments = [],
}: GatewayOptions): Promise<AttackedGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-attacks-'));
  const here = (name: string): string => new URL(name, import.meta.url).pathname;
  const subgraphs = fork(here('graph-process.ts'), { execArgv: ['--import', 'tsx'] });
  endTogether(subgraphs);
  const [controlUrl] = (await once(subgraphs, 'message')) as [string];
  const supergraph = join(directory, 'supergraph.graphql');
  const documents = join(directory, 'rest');
  const witness = join(directory, 'witness');
  await mkdir(documents);
  await writeFile(supergraph, composeAttackedGraph(controlUrl));
  await writeFile(join(documents, 'items.graphql'), REST_DOCUMENTS);
  await writeFile(witness, '');
  const port = await freePort(2);
  const command = [join(checkout, 'dist/cli/main.js'), 'serve', '--profile', 'dev', '--supergraph', supergraph];
  const gateway = watchProcess(
    spawn(process.execPath, ['--import', here('loop-witness.js'), ...nodeArguments, ...command], {
      cwd: directory,
      stdio: 'pipe',
      env: {
        ...cleanEnvironment(),
        PORT: String(port),
        LOOP_WITNESS: witness,
        GATEFOLD_AUTH__DEVELOPMENT_KEY: DEVELOPMENT_KEY,
        GATEFOLD_REST__DOCUMENTS: documents,
        GATEFOLD_BUDGET__MODE: 'enforce',
        ...settings,
      },
    }),
  );
  endTogether(gateway);
  await gateway.waitFor(new RegExp(`http://127\\.0\\.0\\.1:${port}`));
  let hasEnded = false;
  void gateway.exit.then(() => {
    hasEnded = true;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    controlUrl,
    pid: gateway.pid,
    witness,
    tokenOf: (subject) => signToken({ sub: subject, roles: ['USER'] }, { key: DEVELOPMENT_KEY }),
    output: gateway.output,
    hasEnded: () => hasEnded,
    async [Symbol.asyncDispose]() {
      // A profile is written when the process exits by itself.
      if (nodeArguments.length > 0 && !hasEnded) {
        gateway.signal('SIGTERM');
        await gateway.exit;
      }
      await gateway[Symbol.asyncDispose]();
      subgraphs.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
