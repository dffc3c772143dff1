import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

// Plain JavaScript: Jest loads the set-up of a run with Node itself, before any transform.

const held = new Map();

/** Name of the variable by which test files learn where the stack on this storage stands. */
const variableOf = (storage) => `GATEFOLD_TEST_STACK_${storage.toUpperCase()}`;

/** Starts the reference stack once for all test files of a Jest project. */
export async function holdReferenceStack(storage) {
  const missing = storage === 'postgresql' ? await missingServer() : undefined;
  if (missing !== undefined) {
    if (process.env.CI === 'true') throw new Error(`${missing} With CI=true these tests must run.`);
    process.stderr.write(`\n${'*'.repeat(100)}\nNOT TESTED ON POSTGRESQL: ${missing}\n${'*'.repeat(100)}\n\n`);
    process.env[variableOf(storage)] = JSON.stringify({ missing });
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
  held.set(storage, child);
  const address = await Promise.race([
    once(child, 'message').then(([message]) => message),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The reference stack on ${storage} did not start (exit code ${code}).`))),
  ]);
  process.env[variableOf(storage)] = JSON.stringify(address);
}

/** Ends it, with its processes and its database. @throws Error where some answer of it was not as described */
export async function releaseReferenceStack(storage) {
  const child = held.get(storage);
  held.delete(storage);
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  const [code] = await ended;
  if (code !== 0) throw new Error(`The reference stack on ${storage} ended with ${code}: it has told why.`);
}

/** Why there is no PostgreSQL server to test on, or undefined. Any answer on the port counts: a server that refuses us is a failure. */
async function missingServer() {
  const { hostname, port } = new URL(process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || 'postgres://127.0.0.1:5432');
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
