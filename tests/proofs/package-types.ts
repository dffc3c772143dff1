/**
 * Compiles strict projects that import the packed package, with several versions of TypeScript and kinds of modules, in a project that has
 * no optional peer. Also checks the types of all libraries (`skipLibCheck: false`) from TypeScript 5.4, the first that zod supports.
 *
 * Duration: about 5 minutes
 *
 * `npm run prove package-types [version …]` compiles with those versions of TypeScript. Takes packages from the registry or from npm's
 * cache.
 */
import { installProject, packPackage } from './package/installed-project.ts';
import { aliasOf, compile, PROJECT_KINDS, type ProjectKind, writePrograms } from './package/typed-project.ts';

const VERSIONS = ['5.0.4', '5.4.5', '5.8.3', '5.9.3', '6.0.3', '7.0.2'];
const FIRST_WITH_LIBRARIES = 5.4;
const APOLLO = { file: 'apollo.mts', options: { module: 'nodenext', moduleResolution: 'nodenext' } };

const chosen = process.argv.slice(2);
const versions = chosen.length > 0 ? chosen : VERSIONS;

await using packed = await packPackage();
await using project = await installProject(
  packed,
  '@types/node@20',
  ...versions.map((version) => `${aliasOf(version)}@npm:typescript@${version}`),
);
await writePrograms(project);

for (const version of versions) {
  for (const kind of PROJECT_KINDS) if (isFor(kind, version)) await expectToCompile(version, kind.name, kind);
}
await project.install('@apollo/server');
for (const version of versions) await expectToCompile(version, 'gatefold/apollo with the types of @apollo/server', APOLLO);

async function expectToCompile(version: string, what: string, kind: Pick<ProjectKind, 'file' | 'options'>): Promise<void> {
  const skipsLibraries = minorOf(version) < FIRST_WITH_LIBRARIES;
  const errors = await compile(project, version, kind, skipsLibraries);
  const text = `TypeScript ${version}, ${what}${skipsLibraries ? ', without the types of libraries' : ''}`;
  console.log(errors === '' ? `ok     ${text}` : `FAILED ${text}: ${errors}`);
  if (errors !== '') process.exitCode = 1;
}

function isFor({ since, until }: ProjectKind, version: string): boolean {
  return minorOf(version) >= Number(since) && (until === undefined || minorOf(version) <= Number(until));
}

/** Returns a version as a number, such as 5.4. No supported major version has ten minor versions. */
function minorOf(version: string): number {
  return Number(version.split('.').slice(0, 2).join('.'));
}
