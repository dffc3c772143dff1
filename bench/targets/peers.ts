import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peersRoot } from './paths.ts';
import { type Target, type TargetContext, TargetMissing } from './target.ts';

const program = (file: string, context: TargetContext) => [process.execPath, join(peersRoot, file), JSON.stringify(context)] as const;

export const stock: Target = {
  name: 'stock',
  about: 'Apollo Server 5, @apollo/gateway 2, Express 5',
  isPeer: true,
  launch: (context) => ({ command: program('stock.js', context) }),
};

export const hive: Target = { name: 'hive', about: 'Hive Gateway 2', isPeer: true, launch: (context) => launchHive(context, '0') };

export const hiveNative: Target = {
  name: 'hive-native',
  about: 'Hive Gateway 2 with its native router runtime',
  isPeer: true,
  launch: (context) => launchHive(context, '1'),
};

function launchHive({ supergraphFile, port, directory }: TargetContext, native: string) {
  const bin = join(peersRoot, 'node_modules/@graphql-hive/gateway/dist/bin.js');
  const config = join(peersRoot, 'hive.config.js');
  const source = [process.execPath, bin, 'supergraph', supergraphFile, '--config-path', config] as const;
  return {
    command: [...source, '--host', '127.0.0.1', '--port', String(port), '--fork', '1'] as const,
    env: { HIVE_NATIVE: native, LOG_LEVEL: 'error' },
    cwd: directory,
  };
}

export const mercurius: Target = {
  name: 'mercurius',
  about: 'Mercurius 16 and its gateway 5 (federation 1)',
  isPeer: true,
  launch: (context) => ({ command: program('mercurius.js', context) }),
};

/** The only binary of this gateway that is available on npm: its development mode. */
export const grafbase: Target = {
  name: 'grafbase',
  about: 'Grafbase CLI 0.80, development mode (native)',
  isPeer: true,
  async launch({ directory, port, subgraphs, subgraphSdlFiles }) {
    const overrides = Object.entries(subgraphs).map(
      ([name, url]) => `[subgraphs.${name}]\nurl = "${url}"\nschema_path = "${subgraphSdlFiles[name]}"\n`,
    );
    const [gatewayFile, overridesFile] = [join(directory, 'grafbase.toml'), join(directory, 'overrides.toml')];
    await writeFile(gatewayFile, '[graph]\nintrospection = true\n');
    await writeFile(overridesFile, overrides.join('\n'));
    return {
      command: [findGrafbase(), 'dev', '--gateway-config', gatewayFile, '--graph-overrides', overridesFile, '--port', String(port)],
      cwd: directory,
    };
  },
};

function findGrafbase(): string {
  const packages = join(peersRoot, 'node_modules/@grafbase');
  const found = existsSync(packages) ? readdirSync(packages).find((name) => name.startsWith('cli-')) : undefined;
  if (found === undefined) throw new TargetMissing('npm has no Grafbase binary for this platform');
  return join(packages, found, 'grafbase');
}
