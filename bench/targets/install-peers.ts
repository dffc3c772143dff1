import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { peersRoot } from './paths.ts';

/**
 * Installs what `bench/peers/package-lock.json` says, unless that is there already. No scripts of packages are run: none
 * of the peers needs one. A failure is told, and then seen in the peers that are missing.
 */
export function installPeers(): void {
  const [lock, installed] = [join(peersRoot, 'package-lock.json'), join(peersRoot, 'node_modules/.package-lock.json')];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stdout.write('Installing the peers in bench/peers ...\n');
  const { status } = spawnSync('npm', ['ci', '--prefix', peersRoot, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.stdout.write('The peers could not be installed.\n');
}
