import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { peersRoot } from './paths.ts';

/**
 * Installs the packages of `bench/peers/package-lock.json`, unless they are installed. Package scripts are not run, because no peer needs
 * one. A failure is printed, and the affected peers are then reported as missing.
 */
export function installPeers(): void {
  const [lock, installed] = [join(peersRoot, 'package-lock.json'), join(peersRoot, 'node_modules/.package-lock.json')];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stdout.write('Installing the peers in bench/peers ...\n');
  const { status } = spawnSync('npm', ['ci', '--prefix', peersRoot, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.stdout.write('The peers could not be installed. See the output of npm above.\n');
}
