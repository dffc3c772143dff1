import type { Environment } from '../../../gateway/config/read-environment-layer.ts';
import type { Terminal } from '../../../cli/terminal.ts';

export interface RecordingTerminal extends Terminal {
  /** Texts written to standard output. */
  readonly printed: string[];
  /** Texts written to standard error. */
  readonly warned: string[];
}

/** Creates a terminal that records its output and never receives a stop signal. */
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
