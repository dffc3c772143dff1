import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, because Jest loads the set-up of a run with Node itself, before any transform.

const held = new Map();

/** Returns the name of the variable in which test files find the path of the file with the addresses of the stack on this storage. */
const variableOf = (storage) => `GATEFOLD_TEST_STACK_${storage.toUpperCase()}`;

/**
 * Starts the reference stack once for all test files of a Jest project, without waiting for it, so that other tests run in the meantime.
 * Test files that need it wait for the file with its addresses.
 */
export async function holdReferenceStack(storage) {
  const missing = storage === 'postgresql' ? await missingServer() : undefined;
  if (missing !== undefined && process.env.CI === 'true') throw new Error(`${missing} With CI=true these tests must run.`);
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-test-stack-'));
  const file = join(directory, 'addresses.json');
  process.env[variableOf(storage)] = file;
  if (missing !== undefined) {
    process.stderr.write(`\n${'*'.repeat(100)}\nNOT TESTED ON POSTGRESQL: ${missing}\n${'*'.repeat(100)}\n\n`);
    await writeWhole(file, { missing });
    held.set(storage, { directory });
    return;
  }
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('../process/run-built.js', import.meta.url).href,
      fileURLToPath(new URL('reference-stack-process.ts', import.meta.url)),
      storage,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '--disable-proto=delete --no-warnings', APOLLO_TELEMETRY_DISABLED: '1' },
    },
  );
  const started = Promise.race([
    once(child, 'message').then(([addresses]) => addresses),
    once(child, 'exit').then(([code]) => ({ failure: `The reference stack on ${storage} did not start (exit code ${code}).` })),
  ]).then(async (result) => writeWhole(file, result));
  held.set(storage, { directory, child, started });
}

/** Ends the stack with its processes and its database. @throws Error when a response of the stack did not match its description */
export async function releaseReferenceStack(storage) {
  const { directory, child, started } = held.get(storage) ?? {};
  held.delete(storage);
  await started;
  if (directory !== undefined) await rm(directory, { recursive: true });
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  const [code] = await ended;
  if (code !== 0) throw new Error(`The reference stack on ${storage} exited with code ${code}. Its output above has the reason.`);
}

/** Writes a file atomically. */
async function writeWhole(file, content) {
  await writeFile(`${file}.unfinished`, JSON.stringify(content));
  await rename(`${file}.unfinished`, file);
}

/**
 * Returns why no PostgreSQL server is available for tests, or undefined. Any listener on the port counts: a server that rejects the
 * connection is a failure.
 */
async function missingServer() {
  const { hostname, port } = new URL(process.env.TEST_DATABASE_URL || 'postgres://127.0.0.1:5432');
  const socket = connect({ host: hostname, port: Number(port || 5432) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) });
    return undefined;
  } catch (error) {
    return `No PostgreSQL server at ${hostname}:${port || 5432} (${error.code ?? error.name}); set TEST_DATABASE_URL.`;
  } finally {
    socket.destroy();
  }
}
