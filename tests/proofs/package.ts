/**
 * Packs the package, installs it into an empty project and serves a third-party supergraph from there. The response must be correct,
 * nothing of the reference graph may be installed, and features that need a missing package must report which one, what for, and how to
 * install it.
 *
 * Duration: about 1 minute
 *
 * Prints the number of packages and bytes installed. Takes packages from the registry or from npm's cache.
 */
import { isDeepStrictEqual } from 'node:util';
import { cinemaSdl } from '../fixtures/cinema/cinema-graph.ts';
import { startCinemaSubgraph } from './package/cinema-subgraph.ts';
import { type CommandResult, installProject } from './package/installed-project.ts';

/** Packages of the reference graph, and packages that only some users need. */
const NOT_INSTALLED = [
  '@apollo/datasource-rest',
  '@apollo/gateway',
  '@apollo/server',
  '@apollo/subgraph',
  '@as-integrations/express5',
  '@electric-sql/pglite',
  '@graphql-inspector/core',
  'dataloader',
  'drizzle-orm',
  'express',
  'fs-native-extensions',
  'graphql-tag',
  'graphql-ws',
  'ioredis',
  'pg',
];
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

await using project = await installProject();
await using subgraph = await startCinemaSubgraph();

const strangers = project.packed.filter(
  (path) => !/^(package\.json|README\.md|LICENSE|dist\/)/.test(path) || /^dist\/(subgraphs|seed)|tooling|tests?\//.test(path),
);
check('the tarball contains only the product', strangers.length === 0, strangers);
const unwanted = NOT_INSTALLED.filter((name) => project.packages.includes(name));
check('no package of the reference graph, and no optional peer, is installed', unwanted.length === 0, unwanted);

await project.write('cinema.graphql', cinemaSdl);
await project.write(
  'composition.yaml',
  `output: ${SUPERGRAPH}\nsubgraphs:\n  cinema:\n    url: ${subgraph.url}\n    files: [cinema.graphql]\n`,
);
await project.write('operation.graphql', `query Film ${QUERY}`);
const succeed = async (name: string, ...args: readonly string[]): Promise<void> => {
  const { code, output } = await project.gatefold(args);
  check(`gatefold ${name} runs`, code === 0, output);
};
await succeed('compose', 'compose', '--file', 'composition.yaml');
await succeed('validate', 'validate', '--supergraph', SUPERGRAPH);
await succeed('persist', 'persist', 'operation.graphql', '--out', 'manifest.json', '--client', 'cinema@1');
await succeed('token', 'token', '--sub', '1');
await serveAndRequest();

const imported = await project.run(`
  const names = ['gatefold', 'gatefold/apollo', 'gatefold/errors', 'gatefold/rest'];
  for (const name of names) if (Object.keys(await import(name)).length === 0) throw new Error(name);
`);
check('each entry of the package is imported without its optional peers', imported.code === 0, imported.output);

const serve = ['serve', '--supergraph', SUPERGRAPH, '--port', '0', '--internal-port', '0'];
expectMissing('ioredis', ['redis.url', 'ioredis@'], await project.gatefold(serve, { REDIS_URL: 'redis://127.0.0.1:1' }));
expectMissing('express', ['rest.documents', 'express@'], await project.gatefold(serve, { GATEFOLD_REST__DOCUMENTS: '.' }));
expectMissing(
  'the packages of --engine apollo',
  ['--engine apollo', '@apollo/gateway@', '@apollo/server@', '@as-integrations/express5@', 'express@'],
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

console.log(`${project.packages.length} packages and ${(project.bytes / 1_000_000).toFixed(1)} MB are installed.`);
if (failures > 0) process.exitCode = 1;

async function serveAndRequest(): Promise<void> {
  await using gateway = project.start(['serve', '--supergraph', SUPERGRAPH, '--port', '0', '--internal-port', '0']);
  const [, url = ''] = await gateway.waitFor(/serves (\S+\/graphql) /);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
  const body: unknown = await response.json();
  check('gatefold serve serves a query on a third-party supergraph', response.status === 200 && isDeepStrictEqual(body, EXPECTED), body);
}

function expectMissing(what: string, words: readonly string[], { code, output }: CommandResult): void {
  const isReported = words.every((word) => output.includes(word)) && output.includes('npm install') && !/\n\s+at /.test(output);
  check(`without ${what}, an error states what to install`, code === 1 && isReported, output);
}
