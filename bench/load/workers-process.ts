import { setTimeout as wait } from 'node:timers/promises';
import { buildSchema, graphql } from 'graphql';
import { readMachineUsage } from '../process/machine-usage.ts';
import { readUsage } from '../process/process-tree.ts';
import { WORKERS_SDL, workersData } from '../workers/graph.ts';
import { type RawClientsOptions, startRawClients } from './raw-clients.ts';
import { startRecordedSubgraph } from './recorded-subgraph.ts';

// Runs the clients and the subgraph in one process, so that the CPU time of both is known and small.

export interface SliceCommand extends RawClientsOptions {
  /** Process IDs of the gateways. Their child processes are included. */
  readonly pids: readonly number[];
  /** @unit milliseconds */
  readonly warmUpMs: number;
  /** @unit milliseconds */
  readonly durationMs: number;
}

/** Measurement of one slice. All times are CPU time in milliseconds, except the elapsed time. */
export interface Slice {
  readonly responses: number;
  readonly elapsedMs: number;
  readonly gatewayMs: number;
  /** Clients and subgraph. */
  readonly loadMs: number;
  /** All processes of the machine, and time in which a core was not available to the machine. */
  readonly busyMs: number;
  /** All cores. */
  readonly totalMs: number;
  readonly failures: number;
  readonly failure?: string | undefined;
}

export type WorkersReport = { readonly subgraphUrl: string } | Slice;

const schema = buildSchema(WORKERS_SDL);
const subgraph = await startRecordedSubgraph(async (body) => {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  return JSON.stringify(await graphql({ schema, source: query, variableValues: variables, rootValue: workersData }));
});

function usageOf(pids: readonly number[]) {
  const { user, system } = process.cpuUsage();
  const gatewayMs = pids.reduce((sum, pid) => sum + readUsage(pid).cpuMs, 0);
  return { gatewayMs, loadMs: (user + system) / 1_000, ...readMachineUsage() };
}

async function measure({ pids, warmUpMs, durationMs, ...options }: SliceCommand): Promise<Slice> {
  const clients = await startRawClients(options);
  await wait(warmUpMs);
  const [before, first, begin] = [usageOf(pids), clients.responses, performance.now()];
  await wait(durationMs);
  const [after, last, end] = [usageOf(pids), clients.responses, performance.now()];
  await clients.stop();
  return {
    responses: last - first,
    elapsedMs: end - begin,
    gatewayMs: after.gatewayMs - before.gatewayMs,
    loadMs: after.loadMs - before.loadMs,
    busyMs: after.busyMs - before.busyMs,
    totalMs: after.totalMs - before.totalMs,
    failures: clients.failures,
    failure: clients.failure,
  };
}

process.on('message', (command: SliceCommand) => {
  void measure(command).then((slice) => process.send?.(slice));
});
process.on('disconnect', () => process.exit());
process.send?.({ subgraphUrl: subgraph.url } satisfies WorkersReport);
