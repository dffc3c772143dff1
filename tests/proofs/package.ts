/**
 * Packs the package, installs it into an empty project and serves a third-party supergraph from there. The response must be correct,
 * nothing of the reference graph and nothing under a restrictive license may be installed, and features that need a missing package must
 * report which one, what for, and how to install it. The library must work with the oldest and the newest supported `graphql`.
 *
 * Duration: about 2 minutes
 *
 * Prints the number of packages and bytes installed. Takes packages from the registry or from npm's cache.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { cinemaSdl } from '../fixtures/cinema/cinema-graph.ts';
import { startCinemaSubgraph } from './package/cinema-subgraph.ts';
import { hostApplication, hostRestDocument } from './package/host-application.ts';
import {
  checkRepositoryEngines,
  type CommandResult,
  type InstalledProject,
  installProject,
  packPackage,
} from './package/installed-project.ts';
import { findDanglingLinks } from './package/relative-links.ts';

/** Packages of the reference graph, and packages that only some users need. */
const NOT_INSTALLED = [
  '@apollo/composition',
  '@apollo/datasource-rest',
  '@apollo/gateway',
  '@apollo/server',
  '@apollo/subgraph',
  '@as-integrations/express5',
  '@electric-sql/pglite',
  '@graphql-inspector/core',
  'drizzle-orm',
  'express',
  'fs-native-extensions',
  'graphql-tag',
  'ioredis',
  'pg',
];
const PERMISSIVE: ReadonlySet<string> = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']);
const MAX_PACKAGES = 120;
const MAX_BYTES = 60_000_000;
/** Oldest supported version of the peer dependency `graphql`. */
const OLDEST_GRAPHQL = '16.11.0';

const SUPERGRAPH = 'supergraph.graphql';
const QUERY = '{ film(id: "f1") { title director { name } } people { name } }';
const EXPECTED = {
  data: { film: { title: 'Film 1', director: { name: 'Ida' } }, people: [{ name: 'Ida' }, { name: 'Jacques' }, { name: 'Agnès' }] },
};

let failures = 0;
function check(what: string, isRight: boolean, details: unknown = ''): void {
  if (!isRight) failures += 1;
  console.log(
    `${isRight ? 'ok    ' : 'FAILED'} ${what}${isRight ? '' : `: ${typeof details === 'string' ? details : JSON.stringify(details)}`}`,
  );
}

await using packed = await packPackage();
await using subgraph = await startCinemaSubgraph();
await using project = await installProject(packed);

const strangers = packed.files.filter(
  (path) =>
    !/^(package\.json|[A-Z]+\.md|LICENSE|docs\/(?!\.)|dist\/|subgraphs\/(kit\/migrations|webhooks\/(migrations|webhooks\.graphql)))/.test(
      path,
    ) ||
    /^dist\/(subgraphs|seed)|tooling|tests?\//.test(path) ||
    path.endsWith('.map'),
);
check('the tarball contains only the product', strangers.length === 0, strangers);
const dangling = await findDanglingLinks(packed.files);
check('the links of the README and of the documentation resolve in the tarball', dangling.length === 0, dangling);
check('npm reports no unsupported engine', !project.warnings.includes('EBADENGINE'), project.warnings);
const engines = await checkRepositoryEngines();
check('npm ci in the repository reports no unsupported engine', !engines.includes('EBADENGINE'), engines);
const packages = await project.packages();
const bytes = await project.size();
const names = new Set(packages.map(({ name }) => name));
const unwanted = NOT_INSTALLED.filter((name) => names.has(name));
check('no package of the reference graph, and no optional peer, is installed', unwanted.length === 0, unwanted);
check(`at most ${MAX_PACKAGES} packages are installed`, packages.length <= MAX_PACKAGES, String(packages.length));
check(`at most ${MAX_BYTES / 1_000_000} MB are installed`, bytes <= MAX_BYTES, String(bytes));
const restricted = packages.filter(({ license }) => !PERMISSIVE.has(license));
check('each installed package is under a permissive license', restricted.length === 0, restricted);

const imported = await project.run(`
  const names = ['gatefold', 'gatefold/apollo', 'gatefold/errors', 'gatefold/rest', 'gatefold/subgraph'];
  for (const name of names) if (Object.keys(await import(name)).length === 0) throw new Error(name);
`);
check('each entry of the package is imported without its optional peers', imported.code === 0, imported.output);
const required = await project.run(
  `
  for (const name of ['gatefold', 'gatefold/apollo', 'gatefold/errors', 'gatefold/rest'])
    if (Object.keys(require(name)).length === 0) throw new Error(name);
  console.log(typeof require('gatefold').createGateway);
`,
  'commonjs',
);
check('each entry of the package is loaded by require', required.code === 0 && required.output.includes('function'), required.output);

await project.write('cinema.graphql', cinemaSdl);
await project.write('cinema.yaml', `output: ${SUPERGRAPH}\nsubgraphs:\n  cinema:\n    url: ${subgraph.url}\n    files: [cinema.graphql]\n`);
await project.write(
  'subgraphs.yaml',
  `supergraph:\n  subgraphs:\n    cinema:\n      url: ${subgraph.url}\n      files: [cinema.graphql]\nserver: { port: 0, internalPort: 0 }\n`,
);
await project.write('operation.graphql', `query Film ${QUERY}`);
const compose = ['compose', '--file', 'cinema.yaml'];
expectMissing('@apollo/composition', ['gatefold compose', '@apollo/composition@'], await project.gatefold(compose));
expectMissing(
  '@apollo/composition',
  ['supergraph.subgraphs', '@apollo/composition@'],
  await project.gatefold(['serve', '--config', 'subgraphs.yaml']),
);
await project.install('@apollo/composition', '@apollo/server');

const succeed = async (name: string, ...args: readonly string[]): Promise<void> => {
  const { code, output } = await project.gatefold(args);
  check(`gatefold ${name} runs`, code === 0, output);
};
await succeed('compose, with the optional package,', ...compose);
await succeed('validate', 'validate', '--supergraph', SUPERGRAPH);
await succeed('persist', 'persist', 'operation.graphql', '--out', 'manifest.json', '--client', 'cinema@1');
await succeed('token', 'token', '--sub', '1');
await serveAndRequest('a composed supergraph', '--supergraph', SUPERGRAPH, '--port', '0', '--internal-port', '0');
await serveAndRequest('a list of subgraphs', '--config', 'subgraphs.yaml');

const serve = ['serve', '--supergraph', SUPERGRAPH, '--port', '0', '--internal-port', '0'];
expectMissing('ioredis', ['redis.url', 'ioredis@'], await project.gatefold(serve, { REDIS_URL: 'redis://127.0.0.1:1' }));
expectMissing('express', ['rest.documents', 'express@'], await project.gatefold(serve, { GATEFOLD_REST__DOCUMENTS: '.' }));
expectMissing(
  'the packages of --engine apollo',
  ['--engine apollo', '@apollo/gateway@', '@as-integrations/express5@', 'express@'],
  await project.gatefold([...serve, '--engine', 'apollo']),
);
expectMissing(
  '@graphql-inspector/core',
  ['gatefold check', '@graphql-inspector/core@'],
  await project.gatefold(['check', SUPERGRAPH, '--against', SUPERGRAPH, '--no-rest']),
);
const dev = await project.gatefold(['dev']);
check(
  'gatefold dev reports that the reference graph is not included',
  dev.code === 2 && dev.output.includes('not part of the published package'),
  dev,
);

await expectToWorkAsLibrary(project);
{
  await using oldest = await installProject(packed, `graphql@${OLDEST_GRAPHQL}`, '@apollo/server');
  await oldest.write(SUPERGRAPH, await readFile(join(project.directory, SUPERGRAPH), 'utf8'));
  await oldest.write('cinema.graphql', cinemaSdl);
  await expectToWorkAsLibrary(oldest, OLDEST_GRAPHQL);
}

console.log(`${packages.length} packages and ${(bytes / 1_000_000).toFixed(1)} MB are installed.`);
if (failures > 0) process.exitCode = 1;

async function serveAndRequest(what: string, ...args: readonly string[]): Promise<void> {
  await using gateway = project.start(['serve', ...args]);
  const [, url = ''] = await gateway.waitFor(/serves (\S+\/graphql) /);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
  const body: unknown = await response.json();
  check(`gatefold serve serves a query on ${what}`, response.status === 200 && isDeepStrictEqual(body, EXPECTED), body);
}

/** @param wanted version of `graphql` that the project pins; without it, the version that npm has selected */
async function expectToWorkAsLibrary(host: InstalledProject, wanted?: string): Promise<void> {
  const copies = (await host.packages()).filter(({ name }) => name === 'graphql').map(({ version }) => version);
  check('the library and its host share one copy of graphql', copies.length === 1 && (wanted ?? copies[0]) === copies[0], copies);
  await host.write('host.mjs', hostApplication);
  await host.write('rest/people.graphql', hostRestDocument);
  const { code, output } = await host.node('host.mjs', SUPERGRAPH, 'cinema.graphql', QUERY);
  const expected = { version: copies[0], run: EXPECTED, apollo: EXPECTED, rest: { id: 'p1', name: 'Ida' } };
  const printed: unknown = code === 0 ? JSON.parse(output.trim().split('\n').at(-1) ?? '') : undefined;
  check(`gateway, Apollo Server and REST facade work with graphql ${copies[0]}`, isDeepStrictEqual(printed, expected), output);
}

function expectMissing(what: string, words: readonly string[], { code, output }: CommandResult): void {
  const isReported = words.every((word) => output.includes(word)) && output.includes('npm install') && !/\n\s+at /.test(output);
  check(`without ${what}, an error states what to install`, code === 1 && isReported, output);
}
