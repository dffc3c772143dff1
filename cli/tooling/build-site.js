/**
 * `npm run docs`: builds the documentation as a static site in `dist/site`. Fails on a dead link, and when a page would load a file from
 * another host.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

const SITE = 'dist/site';
/** Attributes and functions by which a page loads files; links that a reader follows are not among them. */
const LOADED =
  /(?:<(?:script|img|iframe|source)\b[^>]*\bsrc|<link\b[^>]*\bhref|url|@import)\s*[=(]?\s*["']?(?<address>(?:https?:)?\/\/[^"')\s>]+)/g;

const { ok, output } = await runCommand(['vitepress', 'build', 'docs']);
const foreign = ok ? filesOf(SITE).flatMap(foreignAddresses) : [];
for (const line of foreign) console.error(line);
if (ok && foreign.length === 0) console.log(`Built ${SITE}.`);
else console.error(ok ? 'Pages must not load files from other hosts.' : output);
process.exitCode = ok && foreign.length === 0 ? 0 : 1;

/** @param {string} file */
function foreignAddresses(file) {
  const found = [...readFileSync(file, 'utf8').matchAll(LOADED)].map(({ groups }) => groups?.['address']);
  return [...new Set(found)].map((address) => `${file} loads ${address}`);
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    return /\.(?:html|css)$/.test(entry.name) ? [path] : [];
  });
}
