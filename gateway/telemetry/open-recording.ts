import type { TelemetryConfig } from '../config/sections/telemetry.ts';
import type { Clock } from '../platform/clock.ts';
import type { DisposalStack } from '../platform/disposal-stack.ts';
import { type AccessLog, createAccessLog, openAccessLog, type WriteLine } from './access-log.ts';
import { createRecording, type Recording, type TelemetrySink } from './recording/recording.ts';

export interface OpenRecordingDependencies {
  readonly clock: Clock;
  /** Receives the lines of the access log instead of its configured output. */
  readonly writeAccessLog?: WriteLine | undefined;
}

/**
 * Opens everything that the section `telemetry` switches on. Undefined when all of it is off: nothing is recorded then, and the gateway uses
 * its functions without decorators.
 */
export function openRecording(
  config: TelemetryConfig,
  resources: DisposalStack,
  { clock, writeAccessLog }: OpenRecordingDependencies,
): Recording | undefined {
  const sinks: TelemetrySink[] = [];
  const accessLog = openLog(config, resources, clock, writeAccessLog);
  if (accessLog !== undefined) sinks.push(accessLog);
  return sinks.length === 0 ? undefined : createRecording({ sinks, sample: () => false, clock });
}

function openLog(config: TelemetryConfig, resources: DisposalStack, clock: Clock, write: WriteLine | undefined): TelemetrySink | undefined {
  if (write !== undefined && config.accessLog !== 'off') return createAccessLog(write, clock);
  const opened: AccessLog | undefined = openAccessLog(config, clock);
  return resources.use(opened);
}
