/** Time as seconds and nanoseconds since the epoch, as OpenTelemetry represents it. */
export type SpanTime = [seconds: number, nanoseconds: number];

/** Converts a duration since the epoch. @param ms milliseconds */
export function toSpanTime(ms: number): SpanTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
