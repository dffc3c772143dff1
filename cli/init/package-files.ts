import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { REST_DIRECTORY, SUPERGRAPH } from './configuration-files.ts';
import type { NewProject, ProjectFile } from './new-project.ts';

interface Manifest {
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Returns `package.json`, and the files of Git and Docker. */
export function packageFiles(project: NewProject): readonly ProjectFile[] {
  return [
    { path: 'package.json', text: `${JSON.stringify(manifestOf(project), undefined, 2)}\n` },
    { path: '.gitignore', text: 'node_modules/\n.gatefold/\n.env\n' },
    { path: '.dockerignore', text: 'node_modules\n.gatefold\n.git\n.env\nDockerfile\n' },
    { path: 'Dockerfile', text: dockerfile(project) },
  ];
}

function manifestOf({ name, subgraphs, hasRest }: NewProject): object {
  const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Manifest;
  const versionOf = (dependency: string): string => own.peerDependencies?.[dependency] ?? own.dependencies?.[dependency] ?? '*';
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: own.engines,
    scripts: {
      dev: subgraphs.length === 0 ? 'node dev.js' : 'gatefold dev',
      compose: 'gatefold compose --file composition.yaml',
      validate: 'gatefold validate',
      start: 'gatefold serve',
    },
    dependencies: {
      ...(hasRest ? { express: versionOf('express') } : {}),
      gatefold: `^${own.version}`,
      graphql: versionOf('graphql'),
    },
    // `gatefold compose` needs it, and the gateway of a supergraph file does not.
    devDependencies: { '@apollo/composition': versionOf('@apollo/composition') },
  };
}

function dockerfile({ hasRest }: NewProject): string {
  const contents = ['gatefold.yaml', SUPERGRAPH].join(' ');
  return `# The gateway in production. Subgraphs are separate: set their URLs with SUBGRAPH_<NAME>_URL.
FROM node:22-slim
ENV NODE_ENV=production \\
    HOST=0.0.0.0 \\
    GATEFOLD_SERVER__TRUSTED_PROXIES='["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]'
# A TLS proxy on these networks sends X-Forwarded-Proto. In production, requests without TLS are rejected.
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY ${contents} ./
${hasRest ? `COPY ${REST_DIRECTORY} ./${REST_DIRECTORY}\n` : ''}USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --retries=4 CMD ["node", "-e", "fetch('http://127.0.0.1:4001/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/gatefold/dist/cli/main.js", "serve"]
`;
}
