/**
 * Compares time and memory of planning with @apollo/query-planner, on chains of interfaces and unions, keyed entities and connections. Also
 * compares the number of fetches and waves of plans on the reference graph and on random graphs. Ends with exit code 1 when a limit is
 * missed.
 *
 * Duration: about 10 minutes
 *
 * PLANNER_ROUNDS (0: no times), PLANNER_ONLY (part of the name of a shape), PLANNER_RANDOM (operations), PLANNER_SEED.
 */
import { readFileSync } from 'node:fs';
import { loadSupergraph } from '../gateway/supergraph/load-supergraph.ts';
import { startAuditServer } from '../tests/proofs/audit/checkout.ts';
import { generateOperation } from '../tests/differential/generate-operation.ts';
import { buildRandomFederation } from '../tests/differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../tests/differential/random-federation/generate-subgraphs.ts';
import { OPERATIONS_OF_A_GRAPH, createRequest } from '../tests/differential/random-federation/run-case.ts';
import { PlannerClient } from './planner/planner-client.ts';
import type { ProcessResponse } from './planner/planner-process.ts';
import { type PlanSize, type PlannerName, type Planning, createComparablePlanning, createPlanning } from './planner/planners.ts';
import { type PlannerOperation, type PlannerShape, plannerShapes } from './planner/shapes.ts';

const settings = {
  rounds: Number(process.env['PLANNER_ROUNDS'] ?? 5),
  random: Number(process.env['PLANNER_RANDOM'] ?? 2_000),
  seed: Number(process.env['PLANNER_SEED'] ?? 20_260),
  only: process.env['PLANNER_ONLY'] ?? '',
};

/** Maximum time for planning any operation within the default limits. @unit milliseconds */
const LONGEST_PLAN_MS = 50;

/** Maximum planning time as a multiple of the time of the other planner. */
const MAX_RATIO = 2;

/** Below this duration, differences are random. @unit milliseconds */
const MIN_COMPARED_MS = 2;

/** Number of plans in one round. */
const REPEAT = 5;

/** @unit milliseconds */
const WARM_UP_MS = 700;

const PLANNERS = ['gatefold', 'apollo'] as const;

const missed: string[] = [];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

interface Measured {
  readonly elapsedMs: number;
  readonly memoryMb: number;
  readonly size: PlanSize | undefined;
  readonly error: string | undefined;
}

/** Measures one operation in rounds, in which the planners alternate. */
async function measure({ supergraphSdl }: PlannerShape, { document }: PlannerOperation): Promise<Readonly<Record<PlannerName, Measured>>> {
  const responses: Record<PlannerName, ProcessResponse[]> = { gatefold: [], apollo: [] };
  const processes = new Map<PlannerName, PlannerClient>();
  for (const name of PLANNERS) processes.set(name, await PlannerClient.start(name, supergraphSdl));
  // The first round is a warm-up, because a planner in production has planned many operations.
  for (let round = 0; round <= settings.rounds; round += 1) {
    for (const [name, started] of processes) {
      const response = await started.request({ document, warmUpMs: round === 0 ? WARM_UP_MS : 0, repeat: REPEAT });
      if (round > 0 || response.error !== undefined) responses[name].push(response);
      if (response.error === undefined) continue;
      // An abandoned plan would continue to run during the measurements of the other planner and use its processors.
      processes.delete(name);
      await started[Symbol.asyncDispose]();
    }
  }
  for (const started of processes.values()) await started[Symbol.asyncDispose]();
  return { gatefold: summarize(responses.gatefold), apollo: summarize(responses.apollo) };
}

function summarize(responses: readonly ProcessResponse[]): Measured {
  const failed = responses.find(({ error }) => error !== undefined);
  return {
    elapsedMs: median(responses.flatMap(({ elapsedMs }) => elapsedMs ?? [])),
    memoryMb: Math.max(...responses.map(({ memoryMb }) => memoryMb)),
    size: responses.at(-1)?.size,
    error: failed?.error,
  };
}

function show({ elapsedMs, memoryMb, size, error }: Measured): string {
  if (error !== undefined) return error.slice(0, 40).padStart(40);
  return `${elapsedMs.toFixed(2).padStart(9)} ms ${String(memoryMb).padStart(5)} MB ${`${size?.fetches}/${size?.waves}`.padStart(20)}`;
}

function classify(where: string, { gatefold, apollo }: Readonly<Record<PlannerName, Measured>>): void {
  if (gatefold.error !== undefined) missed.push(`${where}: ${gatefold.error}`);
  if (gatefold.elapsedMs > LONGEST_PLAN_MS) missed.push(`${where}: ${gatefold.elapsedMs.toFixed(1)} ms, more than ${LONGEST_PLAN_MS} ms`);
  if (apollo.error !== undefined) return;
  const allowed = Math.max(MIN_COMPARED_MS, MAX_RATIO * apollo.elapsedMs);
  if (gatefold.elapsedMs > allowed) {
    missed.push(
      `${where}: ${gatefold.elapsedMs.toFixed(1)} ms, more than ${MAX_RATIO} times the ${apollo.elapsedMs.toFixed(1)} ms of Apollo`,
    );
  }
  compareSizes(where, gatefold.size, apollo.size);
}

function compareSizes(where: string, ours: PlanSize | undefined, theirs: PlanSize | undefined): void {
  if (ours === undefined || theirs === undefined) return;
  if (ours.fetches > theirs.fetches) missed.push(`${where}: ${ours.fetches} fetches, Apollo makes ${theirs.fetches}`);
  if (ours.waves > theirs.waves) missed.push(`${where}: ${ours.waves} waves, Apollo needs ${theirs.waves}`);
}

async function measureShapes(): Promise<void> {
  print(`${'operation'.padEnd(72)}${'gatefold: time, memory, fetches/waves'.padStart(40)}  ${'apollo'.padStart(40)}`);
  for (const shape of plannerShapes().filter(({ name }) => name.includes(settings.only))) {
    for (const operation of shape.operations) {
      const measured = await measure(shape, operation);
      const where = `${shape.name}: ${operation.name}`;
      print(`${where.padEnd(72)}${show(measured.gatefold)}  ${show(measured.apollo)}`);
      classify(where, measured);
    }
  }
}

/** @returns undefined when the planner cannot plan the operation */
function planned(plan: Planning, document: string): PlanSize | undefined {
  try {
    return plan(document);
  } catch {
    return undefined;
  }
}

/** Compares the number of fetches of operations that both planners can plan. */
class Comparison {
  compared = 0;
  skipped = 0;
  #ours = 0;
  #theirs = 0;

  add(where: string, document: string, [ours, theirs]: readonly [Planning, Planning]): void {
    const [own, other] = [planned(ours, document), planned(theirs, document)];
    if (own === undefined || other === undefined) {
      this.skipped += 1;
      return;
    }
    this.compared += 1;
    this.#ours += own.fetches;
    this.#theirs += other.fetches;
    compareSizes(where, own, other);
  }

  print(what: string): void {
    print(`${this.compared} ${what}: ${this.#ours} fetches, Apollo ${this.#theirs}; ${this.skipped} not compared`);
  }
}

function createPlannings(supergraphSdl: string): readonly [Planning, Planning] {
  return [createPlanning('gatefold', supergraphSdl), createComparablePlanning(supergraphSdl)];
}

/** Directives whose plans contain conditions. They cannot be compared with plans for decided conditions. */
const CONDITIONS = /@(?:skip|include|defer)/;

/** Compares plans of random operations on random graphs. */
function compareRandomPlans(): void {
  const comparison = new Comparison();
  for (let seed = settings.seed; comparison.compared < settings.random; seed += 1) {
    const federation = buildRandomFederation(generateSubgraphs(seed), seed);
    if ('reasons' in federation) continue;
    const plannings = createPlannings(federation.supergraphSdl);
    for (let index = 0; index < OPERATIONS_OF_A_GRAPH && comparison.compared < settings.random; index += 1) {
      const { text, operationName } = createRequest(federation, seed, index);
      if (operationName === undefined && !CONDITIONS.test(text))
        comparison.add(`random graph ${seed}, operation ${index}`, text, plannings);
      else comparison.skipped += 1;
    }
  }
  comparison.print(`random operations (PLANNER_SEED=${settings.seed})`);
}

/** Number of random operations on the reference graph. */
const REFERENCE_OPERATIONS = 300;

function compareReferencePlans(): void {
  const sdl = readFileSync(new URL('../schema/supergraph.graphql', import.meta.url), 'utf8');
  const { schema } = loadSupergraph(sdl);
  const plannings = createPlannings(sdl);
  const comparison = new Comparison();
  for (let seed = 1; seed <= REFERENCE_OPERATIONS; seed += 1) {
    const { text } = generateOperation({ schema, seed, kind: 'query', maxFields: 20 });
    if (CONDITIONS.test(text)) comparison.skipped += 1;
    else comparison.add(`reference graph, operation ${seed}`, text, plannings);
  }
  comparison.print('random operations on the reference graph');
}

async function compareAuditPlans(directory: string): Promise<void> {
  using server = await startAuditServer(directory);
  const comparison = new Comparison();
  for (const suite of await server.suites()) {
    const plannings = createPlannings(await server.supergraph(suite));
    for (const [index, { query }] of (await server.tests(suite)).entries())
      comparison.add(`audit ${suite}, operation ${index}`, query, plannings);
  }
  comparison.print('operations of the audit');
}

if (settings.rounds > 0) await measureShapes();
print('');
compareRandomPlans();
compareReferencePlans();
const auditDirectory = process.env['AUDIT_DIR'];
if (auditDirectory === undefined) print('AUDIT_DIR is not set. The plans of the audit were not compared.');
else await compareAuditPlans(auditDirectory);
print(missed.length === 0 ? '\nAll limits are met.' : `\nMissed limits:\n${missed.join('\n')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
