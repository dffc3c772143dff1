import { changedSettings } from '../../gateway/config/changed-settings.ts';
import { watchFile } from '../../gateway/platform/follow-file.ts';
import type { DevReport } from './dev-report.ts';
import type { DevSettings } from './read-dev-settings.ts';

export interface FollowConfigurationOptions {
  readonly first: DevSettings;
  /** Reads the configuration again. @throws Error with every mistake */
  readonly read: () => Promise<DevSettings>;
  readonly report: DevReport;
}

/** Configuration that is read again when one of its files changes. */
export interface FollowedConfiguration extends AsyncDisposable {
  /** Resolves with the next configuration that differs from the previous one and is valid. */
  next(): Promise<DevSettings>;
}

/** Polling interval for file systems that report no changes. @unit milliseconds */
const INTERVAL_MS = 500;
const MAX_BYTES = 16_777_216;
/** Maximum number of settings that are listed. */
const MAX_LISTED = 10;

/** Follows the files of the configuration. Mistakes in a changed file are reported; the gateway continues with the previous configuration. */
export function followConfiguration({ first, read, report }: FollowConfigurationOptions): FollowedConfiguration {
  let current = first;
  /** Configuration that no caller of `next` has received yet. */
  let pending: DevSettings | undefined;
  let waiting: ((settings: DevSettings) => void) | undefined;
  let reading = Promise.resolve();

  async function readAgain(): Promise<void> {
    try {
      const next = await read();
      const changed = changedSettings(current.config, next.config);
      if (changed.length === 0 || next.isReference !== current.isReference) return;
      current = next;
      report.line(`Configuration: ${list(changed)} changed. The gateway restarts.`);
      pending = next;
      pass();
    } catch (error) {
      report.problem(`${error instanceof Error ? error.message : String(error)}\nThe previous configuration remains in use.`);
    }
  }

  function pass(): void {
    if (pending === undefined || waiting === undefined) return;
    waiting(pending);
    pending = undefined;
    waiting = undefined;
  }

  function look(): void {
    reading = reading.then(readAgain);
  }

  const watchers = first.files.map((path) => {
    // The first text is that of the configuration in use.
    let isFirst = true;
    const onState = (): void => {
      if (!isFirst) look();
      isFirst = false;
    };
    return watchFile({
      path,
      subject: 'The file',
      intervalMs: INTERVAL_MS,
      maxBytes: MAX_BYTES,
      onText: onState,
      onFailure: onState,
    });
  });
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
        pass();
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all(watchers.map((watcher) => watcher[Symbol.asyncDispose]()));
      await reading;
    },
  };
}

function list(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
