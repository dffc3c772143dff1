/**
 * Measures an honest caller at 50 requests a second, calm and beside each attack, against a gateway in a process of its own with its default
 * limits and with budgets enforced. Ends with 1 unless, beside every attack, the caller's p99 is at most three times the calm one, the
 * gateway's resident memory stays within 300 MB of the calm one, and no honest request is refused.
 *
 * `npm run prove attacks [name …]` runs those attacks alone; SECONDS (60) is the length of each measurement.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { startCli } from '../support/built-cli.ts';
import { freePort } from '../support/free-port.ts';
import { signToken } from '../support/tokens.ts';
import type { AttackTarget } from './attacks/attack.ts';
import { type Experience, type HonestRequest, type HonestTarget, askHonestly } from './attacks/honest-caller.ts';
import { CHAIN_SDL } from './attacks/interface-chains.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
const MAX_RATIO = 3;
const MAX_GROWTH_BYTES = 300_000_000;
const SAMPLE_INTERVAL_MS = 250;

const NAMES = ['keyed-mutations', 'interface-chains', 'unknown-keys', 'unread-responses', 'operation-variants'];
const REFERENCE: readonly HonestRequest[] = [
  { path: '/graphql', query: '{ book(id: "1") { id title } }' },
  { path: '/books/1' },
  { path: '/graphql', query: '{ post(id: "1") { id title } }' },
  { path: '/posts/1' },
];
const CHAINS: readonly HonestRequest[] = [{ path: '/graphql', query: '{ hello }' }];

interface Subject extends AsyncDisposable {
  readonly target: AttackTarget;
  readonly pid: number;
  readonly caller: HonestTarget;
  readonly honest: readonly HonestRequest[];
}

const DEVELOPMENT_KEY = 'a key that only this proof of attacks knows';

async function start(args: readonly string[], honest: readonly HonestRequest[], ready: RegExp): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-attacks-'));
  const port = await freePort(2);
  const gateway = startCli(args, {
    cwd: directory,
    env: {
      PORT: String(port),
      GATEFOLD_DATA_DIR: 'memory',
      GATEFOLD_AUTH__DEVELOPMENT_KEY: DEVELOPMENT_KEY,
      GATEFOLD_BUDGET__MODE: 'enforce',
    },
  });
  await gateway.waitFor(ready);
  const userToken = signToken({ sub: '1', roles: ['USER'] }, { key: DEVELOPMENT_KEY });
  const url = `http://127.0.0.1:${port}`;
  return {
    target: { url, userToken },
    caller: { url, token: signToken({ sub: '2', roles: ['USER'] }, { key: DEVELOPMENT_KEY }) },
    pid: gateway.pid,
    honest,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startChains(): Promise<Subject> {
  const schema = buildSubgraphSchema({ typeDefs: gql(CHAIN_SDL) });
  const rootValue = { hello: 'world', shared: { __typename: 'Link0', id: '1', name: 'one' } };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
      const result = await graphql({ schema, source: query, rootValue, variableValues: variables });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const composed = composeSubgraphs([{ name: 'chains', url, files: [{ path: 'chains.graphql', text: CHAIN_SDL }] }]);
  if ('errors' in composed) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-chains-'));
  const file = join(directory, 'supergraph.graphql');
  await writeFile(file, composed.supergraphSdl);
  const subject = await start(['serve', '--profile', 'dev', '--supergraph', file], CHAINS, /http:\/\/127\.0\.0\.1/);
  return {
    ...subject,
    async [Symbol.asyncDispose]() {
      await subject[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** @unit bytes */
function residentOf(pid: number): number {
  return 1_024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

interface Measurement extends Experience {
  /** Highest resident memory. @unit bytes */
  readonly peak: number;
}

async function measure({ caller, pid, honest }: Subject): Promise<Measurement> {
  let peak = residentOf(pid);
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentOf(pid));
  }, SAMPLE_INTERVAL_MS);
  try {
    return { ...(await askHonestly(caller, honest, SECONDS)), peak };
  } finally {
    clearInterval(sampling);
  }
}

function startAttack(name: string, target: AttackTarget): ChildProcess {
  const file = new URL('./attacks/attack-process.ts', import.meta.url).pathname;
  const env = { ...process.env, ATTACK_TARGET: JSON.stringify(target) };
  return spawn(process.execPath, ['--import', 'tsx', file, name], { stdio: ['ignore', 'inherit', 'inherit'], env });
}

async function prove(name: string): Promise<boolean> {
  await using subject = await (name === 'interface-chains' ? startChains() : start(['dev'], REFERENCE, /Ctrl-C stops everything\./));
  await askHonestly(subject.caller, subject.honest, 5); // plans and code are compiled before anything is measured
  const calm = await measure(subject);
  const attacker = startAttack(name, subject.target);
  const attacked = await measure(subject);
  const isRunning = attacker.exitCode === null && attacker.signalCode === null;
  attacker.kill('SIGTERM');
  if (isRunning) await once(attacker, 'exit');
  const refused = [...attacked.refused].map(([status, count]) => `${count} × ${status}`).join(', ');
  const ratio = attacked.p99 / calm.p99;
  const growth = attacked.peak - calm.peak;
  const isHeld = isRunning && ratio <= MAX_RATIO && growth <= MAX_GROWTH_BYTES && refused === '' && calm.refused.size === 0;
  const milliseconds = (value: number): number => Math.round(value * 10) / 10;
  console.table([
    {
      attack: name,
      'calm p50': milliseconds(calm.p50),
      'calm p99': milliseconds(calm.p99),
      'attacked p50': milliseconds(attacked.p50),
      'attacked p99': milliseconds(attacked.p99),
      ratio: Math.round(ratio * 100) / 100,
      'calm MB': Math.round(calm.peak / 1e6),
      'peak MB': Math.round(attacked.peak / 1e6),
      refused: refused === '' ? 0 : refused,
      result: isHeld ? 'holds' : isRunning ? 'FAILS' : 'the attack ended early',
    },
  ]);
  if (calm.refused.size > 0) console.error('Honest requests were refused before the attack:', calm.refused);
  return isHeld;
}

const chosen = process.argv.slice(2);
const attacks = chosen.length > 0 ? chosen : NAMES;
let holds = true;
for (const name of attacks) {
  if (!existsSync(new URL(`./attacks/${name}.ts`, import.meta.url))) throw new Error(`There is no attack "${name}".`);
  holds = (await prove(name)) && holds;
}
process.exitCode = holds ? 0 : 1;
