/**
 * Starts the gateway with the reference graph and stops it, so that Node.js stores the compiled code of the modules in the image. Every
 * container then starts in less time, also with a read-only file system. Exits with 1 if the gateway does not start or stop.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @unit milliseconds */
const TIMEOUT_MS = 60_000;

const args = ['dist/cli/main.js', 'serve', '--supergraph', 'schema/supergraph.graphql', '--port', '0', '--internal-port', '0'];
const env = {
  ...process.env,
  HOST: '127.0.0.1',
  INTERNAL_HOST: '127.0.0.1',
  GATEFOLD_REST__DOCUMENTS: 'schema/rest',
  GATEFOLD_REST__WEBHOOKS: 'schema/webhooks',
  GATEFOLD_SERVER__SHUTDOWN__LAME_DUCK_MS: '0',
};
const gateway = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
for (const stream of [gateway.stdout, gateway.stderr]) {
  stream.on('data', (text) => {
    output += text;
    if (output.includes('Gatefold serves')) gateway.kill('SIGTERM');
  });
}
const timer = setTimeout(() => gateway.kill('SIGKILL'), TIMEOUT_MS);
const [code] = await once(gateway, 'exit');
clearTimeout(timer);
if (code !== 0) {
  console.error(`The gateway ended with ${code}:\n${output}`);
  process.exitCode = 1;
}
