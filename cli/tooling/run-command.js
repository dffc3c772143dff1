import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of the package. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a tool of the package in its directory.
 *
 * @param {readonly string[]} command program and arguments
 * @returns {Promise<{ ok: boolean, output: string, seconds: number }>} result with the complete output, in chronological order
 */
export async function runCommand([program, ...args]) {
  const startedAt = performance.now();
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${program} cannot be run: ${error.message}`;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { ok, output: output.trim(), seconds: (performance.now() - startedAt) / 1_000 };
}
