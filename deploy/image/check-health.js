/**
 * Health check of the container: exits with 0 if the gateway is ready, with 1 otherwise. It requests the internal listener, which
 * does not count against the limits of the public one. `node check-health.js <url>` requests another server, such as a subgraph.
 */
import { get as getTls } from 'node:https';

// An import of `node:http` would load the client of `fetch`, which takes longer than everything else here.
const { get: getPlain } = process.getBuiltinModule('node:http');

/** Time after which no response counts as a failure. Less than the timeout of the container engine. @unit milliseconds */
const TIMEOUT_MS = 2_000;

// With TLS, the internal listener has a certificate for its public name, not for the loopback address.
const usesTls = (process.env.GATEFOLD_SERVER__TLS__CERTIFICATE_FILE ?? '') !== '';
const url = process.argv[2] ?? `${usesTls ? 'https' : 'http'}://127.0.0.1:${process.env.INTERNAL_PORT || '4001'}/health/ready`;
const get = url.startsWith('https:') ? getTls : getPlain;

get(url, { rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
}).on('error', (error) => {
  console.error(`${url}: ${error.message}`);
  process.exitCode = 1;
});
