import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** CPU core of the measured gateway. */
const GATEWAY_CORE = '0';
/** CPU core of all other processes: clients, subgraphs and the benchmark itself. */
const OTHERS_CORE = '1';

/** Whether processes can be pinned to separate cores. */
export const canPin: boolean = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

/** Moves this process and its future child processes off the core of the gateway. */
export function leaveGatewayCore(): void {
  if (canPin) spawnSync('taskset', ['-acp', OTHERS_CORE, String(process.pid)]);
}

/** Returns the command that runs another command on the core of the gateway. */
export function onGatewayCore(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return canPin ? ['taskset', '-c', GATEWAY_CORE, ...command] : command;
}
