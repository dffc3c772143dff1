import { setTimeout as wait } from 'node:timers/promises';
import { readMachineUsage } from '../process/machine-usage.ts';
import { readUsage } from '../process/process-tree.ts';
import { type RawClientsOptions, startRawClients } from './raw-clients.ts';

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
  /** Number of correct responses, including those before and after the slice. */
  readonly allResponses: number;
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

function usageOf(pids: readonly number[]) {
  const { user, system } = process.cpuUsage();
  const gatewayMs = pids.reduce((sum, pid) => sum + readUsage(pid).cpuMs, 0);
  return { gatewayMs, loadMs: (user + system) / 1_000, ...readMachineUsage() };
}

/**
 * Sends requests to gateways, and measures the CPU time of their processes, of this process and of the machine. This process must contain the
 * clients and the back ends only.
 */
export async function measureSlice({ pids, warmUpMs, durationMs, ...options }: SliceCommand): Promise<Slice> {
  const clients = await startRawClients(options);
  await wait(warmUpMs);
  const [before, first, begin] = [usageOf(pids), clients.responses, performance.now()];
  await wait(durationMs);
  const [after, last, end] = [usageOf(pids), clients.responses, performance.now()];
  await clients.stop();
  return {
    responses: last - first,
    allResponses: clients.responses,
    elapsedMs: end - begin,
    gatewayMs: after.gatewayMs - before.gatewayMs,
    loadMs: after.loadMs - before.loadMs,
    busyMs: after.busyMs - before.busyMs,
    totalMs: after.totalMs - before.totalMs,
    failures: clients.failures,
    failure: clients.failure,
  };
}
