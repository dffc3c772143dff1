import { enableCompileCache } from './compile-cache.ts';
import { preferProductionChecks, processTerminal } from './process-terminal.ts';

const args = process.argv.slice(2);
if (args[0] === 'serve') preferProductionChecks();
enableCompileCache();

// Loaded afterwards, because graphql-js reads NODE_ENV only when it is loaded, and the cache serves only modules that are loaded later.
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(args, processTerminal());
