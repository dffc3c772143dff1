/**
 * Moves the development dependencies that the build imports to the dependencies in package.json, so that `npm prune --omit=dev` does not
 * remove them. The image also runs the reference subgraphs, and everything that the gateway loads on demand. The published package depends
 * on neither.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.js';

const BUILT = ['cli', 'gateway', 'rest-facade', 'subgraphs'];
const IMPORT = /(?:\bfrom |\bimport |\bimport\(|\bloadPackage\()['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g;

const path = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(path, 'utf8'));
const imported = new Set(BUILT.flatMap((folder) => sourcesBelow(join(root, 'dist', folder))).flatMap(importsOf));
const retained = Object.entries(manifest.devDependencies).filter(([name]) => imported.has(name));
for (const [name, range] of retained) {
  manifest.dependencies[name] = range;
  delete manifest.devDependencies[name];
}
writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
console.log(`Dependencies added for the image: ${retained.map(([name]) => name).join(', ')}`);

function importsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name]) => name);
}

function sourcesBelow(directory) {
  return readdirSync(directory, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(directory, file));
}
