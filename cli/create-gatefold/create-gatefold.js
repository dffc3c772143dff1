#!/usr/bin/env node
// Runs `gatefold init` with the arguments of this command, in the same process, so that it can prompt the user.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifestPath = createRequire(import.meta.url).resolve('gatefold/package.json');
const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8'));
process.argv.splice(2, 0, 'init');
await import(new URL(bin.gatefold, pathToFileURL(manifestPath)).href);
