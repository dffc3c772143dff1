import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CliProcess, watchProcess } from '../process/built-cli.ts';
import type { CodeBlock, MarkdownPage } from './markdown-page.ts';
import { containsOutput } from './match-output.ts';

/**
 * Tutorials are pages whose blocks are executed in their order in an empty folder. Their blocks have these roles: `title=<file>` is
 * written to a file, `terminal=<name>` is started in a separate terminal and replaces the command that ran there, and a block of
 * output is compared with the command before it.
 */
export interface TutorialOptions {
  /** Empty folder. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Changes a block before it is used: ports, and the source of the package. */
  readonly adapt: (text: string) => string;
  /** Called after each block that was executed or compared. */
  readonly onStep: (step: TutorialStep) => void;
}

export interface TutorialStep {
  /** Page, and line of the block. */
  readonly location: string;
  /** First line of the block. */
  readonly title: string;
  readonly milliseconds: number;
  /** Undefined when the step succeeded. */
  readonly problem: string | undefined;
}

const OUTPUT_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** Minimum time in which a reader changes to another terminal. Some commands print nothing when they are ready. */
const READING_MS = 1_000;

/** Whether a page is a tutorial. */
export function isTutorial({ blocks }: MarkdownPage): boolean {
  return blocks.some(({ role }) => role.startsWith('terminal='));
}

/** Executes the blocks of a tutorial of one or more pages until one fails. */
export async function runTutorial(pages: readonly MarkdownPage[], options: TutorialOptions): Promise<void> {
  const { directory, env, adapt, onStep } = options;
  const shell = openShell(directory, env);
  const terminals = new Map<string, Terminal>();
  let output: Output = { text: () => '', isComplete: true };
  try {
    for (const [path, block] of pages.flatMap((page) => page.blocks.map((each) => [page.path, each] as const))) {
      const started = performance.now();
      const text = adapt(block.text);
      const failure = await execute({ ...block, text }).catch((error: Error) => error.message);
      const problem = failure === undefined ? undefined : `${failure}\n${describeTerminals(terminals)}`;
      const title = text.split('\n', 1)[0] ?? '';
      onStep({ location: `${path}:${block.line}`, title, milliseconds: performance.now() - started, problem });
      if (problem !== undefined) return;
    }
  } finally {
    await Promise.all([...terminals.values()].map(stop));
    shell.end();
  }

  async function execute({ language, role, text }: CodeBlock): Promise<string | undefined> {
    const [key = '', value = ''] = role.split('=');
    if (role === 'output') return awaitOutput(text, output);
    if (key === 'title') {
      const path = join(shell.directory(), value);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } else if (key === 'terminal') {
      const previous = terminals.get(value);
      if (previous !== undefined) await stop(previous);
      const terminal = startTerminal(text, shell.directory(), env);
      terminals.set(value, terminal);
      await new Promise((resolve) => void setTimeout(resolve, READING_MS));
      output = { text: terminal.process.output, isComplete: false };
    } else if (language === 'sh') {
      const result = await shell.run(text);
      output = { text: () => result, isComplete: true };
    } else return `a block of the kind "${language} ${role}" cannot be executed`;
    return undefined;
  }
}

interface Output {
  text(): string;
  /** Whether the command has ended, so that its output does not change anymore. */
  readonly isComplete: boolean;
}

/** Waits until the output contains the expected text. Returns a problem if it does not. */
async function awaitOutput(expected: string, { text, isComplete }: Output): Promise<string | undefined> {
  const deadline = Date.now() + OUTPUT_TIMEOUT_MS;
  while (!containsOutput(text(), expected)) {
    if (isComplete || Date.now() > deadline) return `expected\n${expected}\nin\n${text()}`;
    await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

/** Shows the end of what the terminals print, because the cause of a failed command is often there. */
function describeTerminals(terminals: ReadonlyMap<string, Terminal>): string {
  return [...terminals].map(([name, terminal]) => `Terminal ${name}: ${terminal.process.output().slice(-500)}`).join('\n');
}

interface Terminal {
  readonly child: ChildProcess;
  readonly process: CliProcess;
}

function startTerminal(command: string, cwd: string, env: Readonly<Record<string, string>>): Terminal {
  // A separate process group receives the interrupt as a whole, as in a terminal.
  const child = spawn('bash', ['-c', command], { cwd, env, stdio: 'pipe', detached: true });
  return { child, process: watchProcess(child) };
}

async function stop({ child, process: running }: Terminal): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGINT');
  await running.exit;
}

interface Shell {
  /** Runs commands. Resolves to their output. @throws Error if one of them fails */
  run(text: string): Promise<string>;
  /** Current directory. */
  directory(): string;
  end(): void;
}

/** Opens a shell whose variables and directory persist between the blocks. */
function openShell(cwd: string, env: Readonly<Record<string, string>>): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let directory = cwd;
  let output = '';
  let blocks = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.write('exec 2>&1\nset -euo pipefail\n');
  return {
    directory: () => directory,
    end: () => child.stdin.end(),
    async run(text) {
      const marker = `-- end of block ${++blocks} in `;
      const begin = output.length;
      child.stdin.write(`${text}\necho; echo "${marker}$PWD"\n`);
      let isRunning = true;
      void exited.then(() => {
        isRunning = false;
      });
      while (!output.includes(marker, begin) || !output.endsWith('\n')) {
        if (!isRunning) throw new Error(`a command failed:\n${output.slice(begin)}`);
        await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
      }
      const end = output.indexOf(marker, begin);
      directory = output.slice(end + marker.length).trim();
      return output.slice(begin, end);
    },
  };
}
