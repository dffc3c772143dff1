import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { eventually } from '../time/eventually.ts';
import { freePort } from '../http/free-port.ts';
import { cleanEnvironment, type CliProcess, watchProcess } from './built-cli.ts';
import { type ComposeService, readComposeServices } from './compose-services.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** Hosts and ports of the services in docker-compose.yml. Each receives a port of this machine. */
const ADDRESSES = [
  ['balancer', '8443'],
  ['gateway-1', '4000'],
  ['gateway-1', '4001'],
  ['gateway-2', '4000'],
  ['gateway-2', '4001'],
  ['postgres', '5432'],
  ['valkey', '6379'],
  ...['4101', '4102', '4103', '4104', '4105', '4106', '4107', '4108'].map((port) => ['subgraphs', port] as const),
] as const;

/** The services of docker-compose.yml as plain processes, with their commands, variables and secrets. */
export interface LocalCompose extends AsyncDisposable {
  /** Starts a service, with variables in addition to its own, and resolves when its health check succeeds. */
  start(name: string, more?: Readonly<Record<string, string>>): Promise<CliProcess>;
  /** Port of this machine instead of the port of a container. */
  portOf(service: string, port: string): number;
  /** Contents of a secret. */
  secret(name: string): string;
  /** Temporary directory of the processes. */
  readonly directory: string;
  /** URL of the database as its superuser. */
  readonly databaseUrl: string;
  /** Returns the log of requests of the balancer. */
  accessLog(): string;
}

/** Returns the programs that are not installed. `initdb` means a PostgreSQL server. */
export function missingPrograms(programs: readonly string[]): readonly string[] {
  return programs.filter((program) => (program === 'initdb' ? initdbOf() === undefined : spawnSync('which', [program]).status !== 0));
}

/** Prepares secrets and addresses. Starts nothing. */
export async function createLocalCompose(variables: Readonly<Record<string, string>> = {}): Promise<LocalCompose> {
  const directory = mkdtempSync(join(tmpdir(), 'gatefold-compose-'));
  chmodSync(directory, 0o755);
  const first = await freePort(ADDRESSES.length);
  const services = readComposeServices(variables);
  const started: CliProcess[] = [];

  const portOf = (service: string, port: string): number => {
    const index = ADDRESSES.findIndex(([host, number]) => host === service && number === port);
    if (index === -1) throw new Error(`No service ${service} listens on port ${port}.`);
    return first + index;
  };
  const secrets = join(directory, 'secrets');
  const accessLog = join(directory, 'access.log');
  await promisify(execFile)(join(packageRoot, 'deploy/compose/create-secrets.sh'), [secrets], { env: cleanEnvironment() });

  /** Replaces paths, host names and addresses of containers. `own` is the service whose ports are named without a host. */
  const toLocal = (text: string, own: string): string =>
    ADDRESSES.reduce(
      (all, [host, port]) => {
        const local = `127.0.0.1:${portOf(host, port)}`;
        const named = all.replaceAll(`${host}:${port}`, local).replaceAll(host === 'gateway-1' ? `gateways:${port}` : '\0', local);
        return host === own ? named.replaceAll(`127.0.0.1:${port}`, local) : named;
      },
      text.replaceAll('/run/secrets/', `${secrets}/`).replaceAll('172.30.40.2/32', '127.0.0.1/32'),
    );
  for (const name of readdirSync(secrets)) {
    const file = join(secrets, name);
    writeFileSync(file, toLocal(readFileSync(file, 'utf8'), ''));
  }
  const databaseUrl = readFileSync(join(secrets, 'database_url'), 'utf8').trim();
  let hasDatabase = false;

  function processOf(service: ComposeService, more: Readonly<Record<string, string>>): ChildProcess {
    const { name, command, environment } = service;
    const local = (text: string) => toLocal(text, name);
    const options = { cwd: packageRoot, stdio: 'pipe' } as const;
    if (name === 'postgres') return startPostgres(command, directory, portOf('postgres', '5432'), join(secrets, 'postgres_password'));
    if (name === 'valkey') {
      const placed = `--port ${portOf('valkey', '6379')} --bind 127.0.0.1 --dir ${directory}`;
      const [program = '', ...args] = command.map(local).map((text) => text.replace('valkey-server -', `redis-server - ${placed}`));
      return spawn(program, args, { ...options, env: cleanEnvironment() });
    }
    if (name === 'balancer') {
      const file = join(directory, 'nginx.conf');
      writeFileSync(
        file,
        localBalancer(
          toLocal(
            readFileSync(join(packageRoot, 'deploy/nginx/nginx.conf'), 'utf8')
              .replaceAll('/tmp/', `${directory}/`)
              .replace('/dev/stdout', accessLog),
            name,
          ),
          portOf(name, '8443'),
        ),
      );
      const [program = '', ...args] = command;
      return spawn(program, ['-p', directory, '-c', file, ...args], { ...options, env: cleanEnvironment() });
    }
    if (!service.isBuilt) throw new Error(`The service ${name} has no program on this machine.`);
    const ports = Object.entries(environment).map(([key, value]) => {
      const isPort = /(?:^|_)PORT$/.test(key) && ADDRESSES.some(([host, port]) => host === name && port === value);
      return [key, isPort ? String(portOf(name, value)) : local(value)] as const;
    });
    const [program = '', ...args] = command;
    return spawn(program, [...(program === 'node' ? SHORT_LIVED : []), ...args], {
      ...options,
      env: { ...cleanEnvironment(), ...Object.fromEntries(ports), ...more },
    });
  }

  async function isHealthy({ name, healthcheck, isBuilt }: ComposeService): Promise<boolean> {
    const [program = '', ...args] = healthcheck
      .map((text) => toLocal(text, name).replace('valkey-cli', `redis-cli -p ${portOf('valkey', '6379')}`))
      .map((text) => text.replace(/^check-health\.js$/, 'deploy/image/check-health.js'));
    const more = name === 'postgres' ? ['--host', '127.0.0.1', '--port', String(portOf('postgres', '5432'))] : [];
    const env = { ...cleanEnvironment(), ...(isBuilt && name !== 'subgraphs' ? { INTERNAL_PORT: String(portOf(name, '4001')) } : {}) };
    return promisify(execFile)(program, [...args, ...more], { cwd: packageRoot, env }).then(
      () => true,
      () => false,
    );
  }

  return {
    portOf,
    directory,
    databaseUrl,
    accessLog: () => readFileSync(accessLog, 'utf8'),
    secret: (name) => readFileSync(join(secrets, name), 'utf8').trim(),
    async start(name, more = {}) {
      const service = services.get(name);
      if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}.`);
      const running = watchProcess(processOf(service, more));
      started.push(running);
      let hasEnded = false;
      void running.exit.then(() => (hasEnded = true));
      await eventually(
        async () => {
          if (hasEnded) throw new Error(`The service ${name} ended:\n${running.output()}`);
          return isHealthy(service);
        },
        { everyMs: 200, what: `the service ${name} is healthy` },
      );
      if (name === 'postgres' && !hasDatabase) {
        await createDatabase(databaseUrl);
        hasDatabase = true;
      }
      return running;
    },
    async [Symbol.asyncDispose]() {
      for (const running of started.toReversed()) {
        running.signal('SIGTERM');
        const kill = setTimeout(() => running.signal('SIGKILL'), 10_000);
        await running.exit;
        clearTimeout(kill);
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Adapts the configuration of NGINX to addresses of this machine. Addresses need no resolver, and releases before 1.25 enable HTTP/2 in
 * `listen`.
 */
function localBalancer(text: string, port: number): string {
  const version = /nginx\/(\d+)\.(\d+)/.exec(spawnSync('nginx', ['-v']).stderr.toString());
  const isOld = Number(version?.[1]) === 1 && Number(version?.[2]) < 25;
  const adapted = text
    .replace(/^\s*resolver .*$/m, '')
    .replaceAll(' resolve ', ' ')
    .replace('listen 8443 ssl;', `listen 127.0.0.1:${port} ssl${isOld ? ' http2' : ''};`);
  return isOld ? adapted.replace(/^\s*http2 on;$/m, '') : adapted;
}

function initdbOf(): string | undefined {
  const folders = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').toSorted() : [];
  return folders.map((version) => `/usr/lib/postgresql/${version}/bin/initdb`).findLast((file) => existsSync(file));
}

/** Creates the data directory like the entry point of the image, and runs the command of the service. PostgreSQL does not run as root. */
function startPostgres(command: readonly string[], directory: string, port: number, passwordFile: string): ChildProcess {
  const initdb = initdbOf() ?? '';
  const data = join(directory, 'postgres');
  const isRoot = process.getuid?.() === 0;
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres']).stdout.toString());
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (!existsSync(data)) {
    spawnSync('mkdir', [data]);
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
    chmodSync(dirname(passwordFile), 0o755);
    const { status, stderr } = spawnSync(
      initdb,
      ['--pgdata', data, '--username', 'gatefold', '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--no-sync'],
      { ...user, cwd: '/', env: cleanEnvironment() },
    );
    if (status !== 0) throw new Error(`initdb failed:\n${stderr.toString()}`);
  }
  const [program = '', ...args] = command;
  const more = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-c', 'fsync=off'];
  return spawn(join(dirname(initdb), program), [...args, ...more], { ...user, cwd: '/', env: cleanEnvironment(), stdio: 'pipe' });
}

/** Creates the database, as the entry point of the image does for `POSTGRES_DB`. */
async function createDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  const ended = once(client, 'end');
  await client.end();
  await ended;
}
