/**
 * Follows the tutorial of the documentation word for word: packs the package, and executes every block of its three pages in an empty
 * folder, with the commands and files that the pages show. Compares every output that the pages show.
 *
 * Duration: about 2 minutes
 *
 * The only differences from the pages are free ports, and the tarball in place of the published package. Needs NGINX, which it installs
 * where apt-get is available. Takes packages from the registry or from npm's cache.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { freePort } from '../support/http/free-port.ts';
import { readMarkdownPage } from '../support/pages/markdown-page.ts';
import { runTutorial } from '../support/pages/tutorial.ts';
import { cleanEnvironment } from '../support/process/built-cli.ts';

const PAGES = [
  'docs/get-started/your-own-graph.md',
  'docs/get-started/webhooks-for-your-graph.md',
  'docs/get-started/your-own-graph-in-production.md',
];
const MAX_MS = 240_000;
/** Ports of the pages. The gateway also uses the port after its own. */
const PORTS = ['4000', '4008', '5010', '5011', '5013', '5030', '5040'];
const run = promisify(execFile);

const started = performance.now();
const directory = await mkdtemp(join(tmpdir(), 'gatefold-first-hour-'));
// When NGINX is started by root, its workers run as another user.
await chmod(directory, 0o755);
let failures = 0;
try {
  await requireNginx();
  const tarball = await pack(directory);
  const ports = new Map<string, string>();
  for (const port of PORTS) ports.set(port, String(await freePort(port === '4000' ? 2 : 1)));
  ports.set('4001', String(Number(ports.get('4000')) + 1));
  const env = {
    ...cleanEnvironment(),
    PORT: ports.get('4000') ?? '',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    npm_config_prefer_offline: 'true',
  };
  const adapt = (text: string): string =>
    text
      .replaceAll(new RegExp(`\\b(?:${[...ports.keys()].join('|')})\\b`, 'g'), (port) => ports.get(port) ?? port)
      .replace('npm install gatefold ', `npm install ${tarball} `);
  await runTutorial(PAGES.map(readMarkdownPage), {
    directory,
    env,
    adapt,
    onStep({ location, title, milliseconds, problem }) {
      if (problem !== undefined) failures += 1;
      const result = problem === undefined ? 'ok    ' : 'FAILED';
      console.log(`${result} ${location}: ${title} (${(milliseconds / 1_000).toFixed(1)} s)${problem === undefined ? '' : `: ${problem}`}`);
    },
  });
} finally {
  await rm(directory, { recursive: true, force: true });
}
const seconds = (performance.now() - started) / 1_000;
console.log(`The tutorial was executed in ${seconds.toFixed(0)} s; at most ${MAX_MS / 1_000} s are allowed.`);
if (failures > 0 || seconds * 1_000 > MAX_MS) process.exitCode = 1;

/** Packs the package as it is published. Returns the path of the tarball. */
async function pack(destination: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: packageRoot,
    env: cleanEnvironment(),
    maxBuffer: 64 * 1_048_576,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(destination, filename);
}

async function requireNginx(): Promise<void> {
  if (['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].some(existsSync)) return;
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error('NGINX is not installed, and apt-get is not available. Install NGINX, and run the proof again.');
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light']);
}
