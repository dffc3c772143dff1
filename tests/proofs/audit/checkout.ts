import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** One test of the audit. `errors` is absent if it is not compared. */
export interface AuditTest {
  readonly query: string;
  readonly expected: { readonly data?: unknown; readonly errors?: boolean };
}

/** The subgraph server of the checkout. */
export interface AuditServer extends Disposable {
  /** Lists the suites in the order of their names. */
  suites(): Promise<readonly string[]>;
  supergraph(suite: string): Promise<string>;
  /** Creates the tests again with each call: some tests leave data behind, under an id that is drawn here. */
  tests(suite: string): Promise<readonly AuditTest[]>;
}

const STARTED_WITHIN_MS = 60_000;

/**
 * Starts the subgraphs of a checkout, and installs their missing dependencies.
 *
 * @throws Error when the directory holds no checkout, or its server does not start
 */
export async function startAuditServer(directory: string): Promise<AuditServer> {
  if (!existsSync(join(directory, 'src', 'index.ts'))) throw new Error(`AUDIT_DIR=${directory} does not contain a checkout of the audit.`);
  installSubgraphs(directory);
  const here = dirname(fileURLToPath(import.meta.url));
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = spawn(process.execPath, ['--import', loader, join(here, 'serve-subgraphs.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readAddress(child).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    suites: async () => JSON.parse(await get(`${url}/ids`)),
    supergraph: (suite) => get(`${url}/${suite}/supergraph`),
    tests: async (suite) => JSON.parse(await get(`${url}/${suite}/tests`)),
    [Symbol.dispose]: () => {
      child.kill();
    },
  };
}

/** Installs only the dependencies of the subgraphs. The development dependencies of the checkout are other gateways and tools. */
function installSubgraphs(directory: string): void {
  const modules = join(directory, 'node_modules');
  if (!existsSync(join(modules, 'fets'))) {
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'inherit' });
  }
  // Peer dependency of the subgraphs, which the checkout has for development only.
  const own = dirname(createRequire(import.meta.url).resolve('graphql/package.json'));
  if (!existsSync(join(modules, 'graphql'))) cpSync(own, join(modules, 'graphql'), { recursive: true });
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The subgraphs have no output.');
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The subgraphs did not start in time.')), STARTED_WITHIN_MS);
    lines.once('line', (line) => {
      clearTimeout(timer);
      resolve(line.trim());
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The subgraphs exited with ${code}.`));
    });
  });
}

async function get(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}.`);
  return response.text();
}
