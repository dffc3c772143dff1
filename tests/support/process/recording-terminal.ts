import type { Environment } from '../../../gateway/config/read-environment-layer.ts';
import type { Terminal } from '../../../cli/terminal.ts';

export interface RecordingTerminal extends Terminal {
  /** What went to standard output. */
  readonly printed: string[];
  /** What went to standard error. */
  readonly warned: string[];
}

/** A terminal that keeps what it is told, and that nobody asks to stop. */
export function recordingTerminal(env: Environment = {}): RecordingTerminal {
  const printed: string[] = [];
  const warned: string[] = [];
  return {
    env,
    printed,
    warned,
    print: (text) => void printed.push(text),
    warn: (text) => void warned.push(text),
    stopSignal: () => new AbortController().signal,
  };
}
