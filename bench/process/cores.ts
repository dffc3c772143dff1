import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The core of the gateway that is measured. */
const GATEWAY_CORE = '0';
/** The core of everything else: clients, subgraphs, and whoever puts it all together. */
const OTHERS_CORE = '1';

/** Whether processes can be kept on a core of their own. */
export const canPin: boolean = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

/** Moves this process, and all that it starts from now on, off the core of the gateway. */
export function leaveGatewayCore(): void {
  if (canPin) spawnSync('taskset', ['-acp', OTHERS_CORE, String(process.pid)]);
}

/** The command that runs another command on the core of the gateway. */
export function onGatewayCore(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return canPin ? ['taskset', '-c', GATEWAY_CORE, ...command] : command;
}
