#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './process-terminal.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
