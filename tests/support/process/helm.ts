import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { cleanEnvironment } from './built-cli.ts';

/** A rendered object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [key: string]: unknown;
}

export const CHART = join(packageRoot, 'deploy/helm/gatefold');

/** Version of Kubernetes for which manifests are rendered. The types that check them are those of this version. */
export const KUBERNETES = '1.34.0';

/**
 * Returns the path of Helm: the variable `HELM`, or else the binary in a development dependency, which is the oldest version that the chart
 * supports. Undefined if neither runs on this machine.
 */
export function findHelm(): string | undefined {
  const given = process.env['HELM'];
  if (given !== undefined && given !== '') return given;
  if (process.platform !== 'linux' || process.arch !== 'x64') return spawnSync('helm', ['version']).status === 0 ? 'helm' : undefined;
  const file = join(packageRoot, 'node_modules/.cache/helm/helm');
  if (!existsSync(file)) {
    const archive = join(dirname(createRequire(import.meta.url).resolve('@aws-cdk/asset-kubectl-v20')), 'layer.zip');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, unzip(readFileSync(archive), 'helm/helm'));
    chmodSync(file, 0o755);
  }
  return file;
}

/** Runs Helm. Returns its exit code and its output. */
export function runHelm(helm: string, args: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(helm, args, { env: cleanEnvironment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { code: status, output: `${stdout}${stderr}` };
}

/** Renders the chart with a file of `ci`. @throws Error with the message of Helm */
export function renderChart(helm: string, values: string, more: readonly string[] = []): readonly Manifest[] {
  const args = ['template', 'shop', CHART, '--kube-version', KUBERNETES, '--values', join(CHART, 'ci', values), ...more];
  const { status, stdout, stderr } = spawnSync(helm, args, { env: cleanEnvironment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJSON() === null ? [] : [document.toJSON() as Manifest]));
}

/** Reads one file of a ZIP archive by its central directory (APPNOTE, section 4.3). */
function unzip(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = archive.readUInt32LE(at + 42);
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`The archive has no file ${name}.`);
}
