import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import { requirePackages } from '../../platform/require-packages.ts';
import type { OpenedSpanWriter } from './span-writer.ts';

/**
 * Opens the writer of spans: that of an exporter that the application provides, or that for `telemetry.traces.url`. Undefined when traces
 * are off; no package is loaded then.
 *
 * @throws PackagesMissing when a package of OpenTelemetry is required and not installed
 */
export async function openSpanWriter(config: TelemetryConfig, exporter: object | undefined): Promise<OpenedSpanWriter | undefined> {
  if (exporter !== undefined) {
    requirePackages(PROCESSOR_PACKAGES, 'an exporter of spans');
    const { openSpanProcessor } = await import('./open-span-processor.ts');
    return openSpanProcessor(config, exporter);
  }
  if (config.traces.url === undefined) return undefined;
  requirePackages(OTLP_PACKAGES, 'the setting telemetry.traces.url');
  const { openOtlpWriter } = await import('./otlp/open-otlp-writer.ts');
  return openOtlpWriter(config);
}

/** Packages that pass spans to an exporter of the application. */
const PROCESSOR_PACKAGES = ['@opentelemetry/api', '@opentelemetry/resources', '@opentelemetry/sdk-trace-base'];

/** Packages that send spans to a collector. */
const OTLP_PACKAGES = ['@opentelemetry/api', '@opentelemetry/core', '@opentelemetry/otlp-exporter-base'];
