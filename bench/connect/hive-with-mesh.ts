import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FRESH_DIGITS } from '../graph/operations.ts';
import { peersRoot } from '../targets/paths.ts';
import { type Target, TargetMissing } from '../targets/target.ts';
import { ordersOf, shipmentsOf } from './recorded-data.ts';
import { portOf, readBenchFile, type SetUp, type SetUpOptions, startSetUp } from './set-ups.ts';

/**
 * Starts Hive Gateway with the REST transport of GraphQL Mesh, and resolvers that convert the shipments.
 *
 * @throws TargetMissing when it is not installed, or does not return the expected response
 */
export async function startHiveWithMesh(options: SetUpOptions): Promise<SetUp> {
  const supergraphFile = await compose(options);
  const bin = join(peersRoot, 'node_modules/@graphql-hive/gateway/dist/bin.js');
  const config = join(peersRoot, 'mesh/gateway.config.js');
  const target: Target = {
    name: 'hive',
    about: 'Hive Gateway 2 with the REST transport of GraphQL Mesh',
    launch: ({ port }) => ({
      command: [
        ...([process.execPath, bin, 'supergraph', supergraphFile, '--config-path', config] as const),
        ...(['--host', '127.0.0.1', '--port', String(port), '--fork', '1'] as const),
      ],
      env: { LOG_LEVEL: 'error' },
      cwd: peersRoot,
    }),
  };
  const running = await startSetUp(target, supergraphFile, options);
  return { port: portOf(running), pids: [running.pid], [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** Composes the supergraph with GraphQL Mesh. @returns path of its file */
async function compose({ directory, backEnds }: SetUpOptions): Promise<string> {
  const command = join(peersRoot, 'node_modules/@graphql-mesh/compose-cli/esm/bin.js');
  if (!existsSync(command)) throw new TargetMissing('@graphql-mesh/compose-cli is not installed in bench/peers');
  const [ordersFile, sampleFile, supergraphFile] = [
    join(directory, 'mesh-orders.graphql'),
    join(directory, 'mesh-sample.json'),
    join(directory, 'mesh-supergraph.graphql'),
  ];
  // Mesh composes the plain schema, without federation.
  await writeFile(ordersFile, readBenchFile('orders.graphql').replaceAll(/^extend schema.*$|@key\([^)]*\)/gm, ''));
  await writeFile(sampleFile, JSON.stringify(shipmentsOf(ordersOf(FRESH_DIGITS).map(({ id }) => id))));
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, '-c', 'mesh/mesh.config.js', '-o', supergraphFile], {
    cwd: peersRoot,
    encoding: 'utf8',
    env: {
      ...process.env,
      ORDERS_URL: `${backEnds.orders}/graphql`,
      LEGACY_URL: backEnds.legacy,
      ORDERS_SDL_FILE: ordersFile,
      SAMPLE_FILE: sampleFile,
    },
  });
  if (status !== 0) throw new TargetMissing(`mesh-compose ended with ${status}: ${`${stdout}${stderr}`.slice(-500)}`);
  return supergraphFile;
}
