import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { cleanEnvironment, watchProcess } from '../support/process/built-cli.ts';
import { instructionsOf, readDockerfile } from '../support/process/dockerfile.ts';
import { SHORT_LIVED } from '../support/process/short-lived.ts';

const CHECK = join(packageRoot, 'deploy/image/check-health.js');

/** Exit code of the health check with these arguments and variables. */
async function checkHealth(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number | null> {
  const check = watchProcess(spawn(process.execPath, [...SHORT_LIVED, CHECK, ...args], { env: { ...cleanEnvironment(), ...env } }));
  return (await check.exit).code;
}

/** Listens with responses of the given status. Records the requested path. */
async function respondWith(status: number) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    paths,
    port: String((server.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

describe('the health check of the image', () => {
  it('fails for a draining gateway, and while nothing listens', async () => {
    let port: string;
    {
      await using gateway = await respondWith(503);
      port = gateway.port;
      expect(await checkHealth([], { INTERNAL_PORT: port })).toBe(1);
    }
    expect(await checkHealth([], { INTERNAL_PORT: port })).toBe(1);
  });

  it('requests the internal listener of the gateway, or the given URL', async () => {
    await using gateway = await respondWith(200);
    await using subgraph = await respondWith(200);
    expect(await checkHealth([], { INTERNAL_PORT: gateway.port })).toBe(0);
    expect(await checkHealth([`http://127.0.0.1:${subgraph.port}/health`], { INTERNAL_PORT: gateway.port })).toBe(0);
    expect([gateway.paths, subgraph.paths]).toEqual([['/health/ready'], ['/health']]);
  });
});

describe('the compiled code of the image', () => {
  it('is stored by a gateway that is started and stopped', async () => {
    const args = [join(packageRoot, 'deploy/image/store-compiled-code.js')];
    const store = watchProcess(spawn(process.execPath, args, { cwd: packageRoot, env: cleanEnvironment() }));
    expect({ code: (await store.exit).code, output: store.output() }).toEqual({ code: 0, output: '' });
  });

  it('is not stored if the gateway does not start, which fails the build', async () => {
    const args = [join(packageRoot, 'deploy/image/store-compiled-code.js')];
    const env = { ...cleanEnvironment(), GATEFOLD_LIMITS__MAX_COST: 'none' };
    const store = watchProcess(spawn(process.execPath, args, { cwd: packageRoot, env }));
    expect((await store.exit).code).toBe(1);
    expect(store.output()).toContain('The gateway ended with');
  });
});

describe('the Dockerfile', () => {
  const stages = readDockerfile();
  const [build, final] = [stages[0], stages.at(-1)];
  const environment = instructionsOf(final, 'ENV').join(' ');

  it('uses one version of Node.js in both stages, written completely', () => {
    expect(stages).toHaveLength(2);
    expect(build?.base).toMatch(/^node:24\.\d+\.\d+-\w+-slim$/);
    expect(final?.base).toBe(build?.base);
  });

  it('runs as a numeric user, who is not root and owns no file of the application', () => {
    expect(instructionsOf(final, 'USER')).toEqual(['1000:1000']);
    const copies = instructionsOf(final, 'COPY');
    expect(copies.length).toBeGreaterThan(4);
    for (const copy of copies) expect(copy).toMatch(/^--from=build --chown=0:0 /);
  });

  it('contains compiled code for the user and the options of its containers, which only root may change', () => {
    const [, options = ''] = /NODE_OPTIONS="([^"]+)"/.exec(environment) ?? [];
    expect(environment).toContain('NODE_ENV=production');
    expect(instructionsOf(build, 'USER')).toEqual([...instructionsOf(final, 'USER'), '0:0']);
    expect(instructionsOf(build, 'RUN').slice(-2)).toEqual([
      `NODE_ENV=production NODE_OPTIONS="${options}" node deploy/image/store-compiled-code.js`,
      'chmod -R a+rX node_modules/.cache/gatefold',
    ]);
  });

  it('contains no package manager and only packages for production', () => {
    expect(instructionsOf(build, 'RUN').find((command) => command.includes('npm run build'))).toContain('npm prune --omit=dev');
    for (const tool of ['npm', 'npx', 'corepack', 'yarn']) {
      expect(instructionsOf(final, 'RUN').join('\n')).toContain(`/usr/local/bin/${tool} `);
    }
  });

  it('listens on all interfaces, and its health check requests the internal port', () => {
    for (const variable of ['HOST=0.0.0.0', 'INTERNAL_HOST=0.0.0.0', 'PORT=4000', 'INTERNAL_PORT=4001']) {
      expect(environment).toContain(variable);
    }
    expect(instructionsOf(final, 'EXPOSE')).toEqual(['4000 4001']);
    expect(instructionsOf(final, 'HEALTHCHECK').join('')).toMatch(/ CMD \["node", "check-health\.js"\]$/);
  });

  it('has labels with the license, the source, the version and the revision', () => {
    const labels = instructionsOf(final, 'LABEL').join(' ');
    for (const name of ['title', 'description', 'licenses', 'source', 'documentation', 'version', 'revision']) {
      expect(labels).toContain(`org.opencontainers.image.${name}=`);
    }
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };
    expect(instructionsOf(final, 'ARG')).toContain(`VERSION=${version}`);
  });

  it('copies only what the build has, and the build ignores nothing that it needs', () => {
    const sources = instructionsOf(final, 'COPY').map((copy) => /\/app\/(\S+)/.exec(copy)?.[1] ?? copy);
    const generated = new Set(['node_modules', 'dist']);
    for (const source of sources) expect({ source, exists: existsSync(join(packageRoot, source)) }).toEqual({ source, exists: true });
    const tracked = spawnSync('git', ['ls-files', '--', ...sources.filter((source) => !generated.has(source))], { cwd: packageRoot });
    const files = String(tracked.stdout).trim().split('\n');
    expect(files.length).toBeGreaterThan(sources.length);
    expect(files.filter(isIgnored)).toEqual([]);
    expect(
      ['.env', '.env.production', 'docs/README.md', 'deploy/nginx/nginx.conf', 'README.md', 'tests/e2e/image.test.ts'].filter(isIgnored),
    ).toHaveLength(6);
  });
});

/** Whether `.dockerignore` excludes a file. The last pattern that matches decides. */
function isIgnored(file: string): boolean {
  const patterns = readFileSync(join(packageRoot, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = patterns.findLast((pattern) => {
    const glob = pattern.replace('!', '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    return new RegExp(`^${glob}(?:/|$)`).test(file);
  });
  return last !== undefined && !last.startsWith('!');
}
