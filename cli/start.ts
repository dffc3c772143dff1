import { preferProductionChecks, processTerminal } from './process-terminal.ts';
import { tuneGarbageCollection } from './tune-garbage-collection.ts';

const args = process.argv.slice(2);
if (args[0] === 'serve' || args[0] === 'dev') tuneGarbageCollection();
if (args[0] === 'serve') preferProductionChecks();

// Loaded afterwards, because graphql-js reads NODE_ENV only when it is loaded.
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(args, processTerminal());
