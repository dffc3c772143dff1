import type { InstalledProject } from './installed-project.ts';

/** A way in which a project imports the package. */
export interface ProjectKind {
  readonly name: string;
  readonly file: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** First and last supported version of TypeScript, as `major.minor`. */
  readonly since: string;
  readonly until?: string;
}

export const PROJECT_KINDS: readonly ProjectKind[] = [
  { name: 'nodenext, ES module', file: 'main.mts', options: { module: 'nodenext', moduleResolution: 'nodenext' }, since: '5.0' },
  { name: 'nodenext, CommonJS module', file: 'main.cts', options: { module: 'nodenext', moduleResolution: 'nodenext' }, since: '5.8' },
  { name: 'bundler', file: 'main.mts', options: { module: 'esnext', moduleResolution: 'bundler' }, since: '5.0' },
  {
    name: 'CommonJS, node10',
    file: 'main.ts',
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    since: '5.0',
    until: '5.9',
  },
  {
    name: 'CommonJS, bundler',
    file: 'main.ts',
    options: { module: 'commonjs', moduleResolution: 'bundler', esModuleInterop: true },
    since: '6.0',
  },
];

const IMPORTS = `
import { createServer } from 'node:http';
import { ANONYMOUS, createGateway, GatewayError, type Gateway, type GatewayConfigInput, type Principal } from 'gatefold';
import { statusOf } from 'gatefold/errors';
import { createRestFacade, toExpress } from 'gatefold/rest';
`;
const USES = `
  const config: GatewayConfigInput = { supergraph: { sdl: 'type Query { a: Int }' }, server: { port: 0 } };
  const gateway: Gateway = await createGateway(config);
  const principal: Principal = { ...ANONYMOUS, kind: 'user', id: '7' };
  const { data, errors } = await gateway.run<{ a: number }>({ query: '{ a }', principal, variables: {} });
  const code: string | undefined = errors?.[0]?.extensions.code;
  const status: number = statusOf('NOT_FOUND') + new GatewayError('NOT_FOUND', 'none').status + (data?.a ?? 0);
  createServer(gateway.handler).on('upgrade', (request, socket, head) => gateway.upgrade(request, socket, head));
  const facade = createRestFacade({ gateway, documents: 'rest' });
  gateway.mount(facade);
  await gateway.close();
  const isTyped: 'nothing' extends keyof Gateway ? never : true = true; // the type is not \`any\`
  return [isTyped, code, status, toExpress(facade)];
`;
/** Program in which the package replaces ApolloGateway. It also needs the types of Apollo Server. */
const APOLLO = `
import { ApolloServer } from '@apollo/server';
import { createApolloGateway, stringifyResult } from 'gatefold/apollo';
const gateway = createApolloGateway({
  supergraphSdl: async ({ update, healthCheck }) => {
    await healthCheck('');
    update('');
    return { supergraphSdl: '' };
  },
  buildService: ({ url = '' }) => ({ process: async ({ request, signal }) => ({ data: { url, query: request.query, signal } }) }),
});
export const server = new ApolloServer({ gateway, stringifyResult });
`;

/** Strict options, which also check the types of all libraries where \`skipLibCheck\` is false. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  types: ['node'],
  noEmit: true,
};

export async function writePrograms(project: InstalledProject): Promise<void> {
  const program = `${IMPORTS}\nexport async function main() {${USES}}\n`;
  for (const extension of ['mts', 'cts', 'ts']) await project.write(`main.${extension}`, program);
  await project.write('apollo.mts', APOLLO);
}

/** Compiles a file with a version of TypeScript. Returns the errors. */
export async function compile(
  project: InstalledProject,
  version: string,
  { file, options }: Pick<ProjectKind, 'file' | 'options'>,
  skipLibCheck: boolean,
): Promise<string> {
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...STRICT, ...options, skipLibCheck }, files: [file] }));
  const { code, output } = await project.node(`node_modules/${aliasOf(version)}/bin/tsc`, '-p', '.');
  return code === 0 ? '' : output || `exit code ${code}`;
}

/** Name under which a version of TypeScript is installed. */
export function aliasOf(version: string): string {
  return `typescript-${version}`;
}
