import type { ExecutionError } from '../execution/executable-operation.ts';
import type { PartStream } from './run-in-parts.ts';

/** Adds locations to the errors of deferred parts. */
export function locateParts(stream: PartStream, locate: (errors: readonly ExecutionError[]) => readonly ExecutionError[]): PartStream {
  return {
    ...stream,
    async next() {
      const part = await stream.next();
      const patches = part.patches.map((patch) => (patch.errors.length === 0 ? patch : { ...patch, errors: locate(patch.errors) }));
      return { ...part, patches };
    },
  };
}
