import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { cleanEnvironment, requireBuild } from '../support/process/built-cli.ts';

const run = async (program: string, ...args: readonly string[]) =>
  (await promisify(execFile)(program, args, { cwd: packageRoot, env: cleanEnvironment(), maxBuffer: 64 * 1_048_576 })).stdout;

beforeAll(requireBuild, 120_000);

describe('the package', () => {
  it('contains everything that it needs at runtime and no build tools', async () => {
    const [{ files }] = JSON.parse(await run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts')) as [{ files: { path: string }[] }];
    const paths = new Set(files.map(({ path }) => path));
    for (const needed of [
      'LICENSE',
      'dist/cli/main.js',
      'dist/gateway/index.d.ts',
      'dist/rest-facade/index.d.ts',
      'dist/studio/index.html',
      'dist/swagger-ui/LICENSE',
      'subgraphs/webhooks/webhooks.graphql',
      'subgraphs/webhooks/migrations/0001-webhooks.sql',
      'docs/guides/embed-the-gateway.md',
      'docs/reference/configuration.md',
    ]) {
      expect(paths).toContain(needed);
    }
    expect(
      [...paths].filter(
        (path) =>
          !/^(?:LICENSE|[A-Z]+\.md|package\.json|docs\/(?!\.)|dist\/(?:cli|gateway|rest-facade|studio|swagger-ui)\/|subgraphs\/(?:kit\/migrations|webhooks\/(?:migrations\/|webhooks\.graphql)))/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect([...paths].filter((path) => path.includes('tooling') || path.endsWith('.map'))).toEqual([]);
  });

  it('exports each documented entry by its name', async () => {
    const script = `
      const [gateway, rest, errors] = await Promise.all(['gatefold', 'gatefold/rest', 'gatefold/errors'].map((name) => import(name)));
      console.log(typeof gateway.createGateway, typeof rest.createRestFacade, typeof rest.toExpress, errors.statusOf('NOT_FOUND'));
    `;
    expect((await run(process.execPath, '--input-type=module', '--eval', script)).trim()).toBe('function function function 404');
    await expect(run(process.execPath, '--input-type=module', '--eval', `await import('gatefold/gateway/pipeline')`)).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });
});
