import { Command, Redis } from 'ioredis';

/** A command that Redis has executed. */
export interface RecordedCommand {
  readonly name: string;
  readonly keys: readonly string[];
  /** Whether a script has executed it. Such commands follow the `EVALSHA` or `EVAL` of their script. */
  readonly isInScript: boolean;
}

/** Commands of all clients of a Redis. */
export interface CommandRecorder extends Disposable {
  readonly commands: readonly RecordedCommand[];
}

/** Records the commands that a Redis executes from now on, by `MONITOR`. */
export async function recordCommands(url: string): Promise<CommandRecorder> {
  const commands: RecordedCommand[] = [];
  const client = new Redis(url);
  const monitor = await client.monitor();
  monitor.on('monitor', (_time: string, [name = '', ...args]: string[], source: string) => {
    commands.push({ name: name.toLowerCase(), keys: keysOf(name, args), isInScript: source === 'lua' });
  });
  return {
    commands,
    [Symbol.dispose]() {
      monitor.disconnect();
      client.disconnect();
    },
  };
}

function keysOf(name: string, args: readonly string[]): readonly string[] {
  try {
    return new Command(name.toLowerCase(), [...args]).getKeys().map(String);
  } catch {
    return []; // Commands without keys that the client package does not know.
  }
}
