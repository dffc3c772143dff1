/**
 * Runs the services of docker-compose.yml as plain processes, with their commands, variables, secrets and health checks: PostgreSQL, Valkey
 * (redis-server), the subgraphs, two gateways, and NGINX. Sends GraphQL, REST, WebSocket and server-sent events over TLS through NGINX.
 * Then stops each gateway with SIGTERM, where no request may fail, and with SIGKILL, where only POST requests may fail that were in
 * progress there: no GET request, and no POST request that was sent after NGINX noticed the end. Each WebSocket must receive events again.
 *
 * Duration: about 1 minute
 *
 * Requires nginx, redis-server, PostgreSQL, openssl and curl. Services of the profile `observability` are only checked: promtool, if it is
 * installed, reads the configuration of Prometheus.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { requireBuild } from '../support/process/built-cli.ts';
import { readComposeServices } from '../support/process/compose-services.ts';
import { createLocalCompose, missingPrograms } from '../support/process/local-compose.ts';
import { createBalancerClient } from './compose/balancer-client.ts';
import { proveBalancer } from './compose/prove-balancer.ts';

const missing = missingPrograms(['nginx', 'redis-server', 'initdb', 'openssl', 'curl']);
if (missing.length > 0) {
  console.error(`NOT PROVEN: install ${missing.join(', ')}. On Debian: apt-get install nginx-light redis-server postgresql openssl curl.`);
  process.exit(1);
}

await requireBuild();
await using compose = await createLocalCompose();
const started = performance.now();
for (const name of ['postgres', 'valkey', 'subgraphs']) await compose.start(name);
const gateways = new Map(await Promise.all(['gateway-1', 'gateway-2'].map(async (name) => [name, await compose.start(name)] as const)));
await compose.start('balancer');
console.log(`passed: six services are healthy after ${Math.round(performance.now() - started)} ms`);

await using client = createBalancerClient({ port: compose.portOf('balancer', '8443'), certificate: compose.secret('tls_certificate') });
for await (const { name, problem } of proveBalancer({ compose, gateways, client })) {
  console.log(problem === undefined ? `passed: ${name}` : `FAILED: ${name}: ${problem}`);
  if (problem !== undefined) process.exitCode = 1;
}

for (const { name, profiles, image } of readComposeServices({}).values()) {
  if (profiles.length > 0) console.log(`NOT STARTED: ${name} (${image}), whose program is not run on this machine`);
}
const prometheus = join(compose.directory, 'prometheus.yml');
const alerts = join(packageRoot, 'deploy/helm/gatefold/files/alerts.yaml');
const written = readFileSync(join(packageRoot, 'deploy/prometheus/prometheus.yml'), 'utf8');
writeFileSync(prometheus, written.replace('/etc/prometheus/alerts.yaml', alerts));
const promtool = spawnSync('promtool', ['check', 'config', prometheus]);
if (promtool.error !== undefined) console.log('NOT CHECKED: deploy/prometheus/prometheus.yml, because promtool is not installed');
else if (promtool.status === 0) console.log('passed: promtool accepts deploy/prometheus/prometheus.yml');
else {
  console.log(`FAILED: promtool: ${promtool.stdout.toString()}${promtool.stderr.toString()}`);
  process.exitCode = 1;
}
