import { z } from 'zod';

/** Section `telemetry`: what the gateway reports about requests. */
export const telemetry = z.strictObject({
  accessLog: z.enum(['off', 'stdout', 'stderr']).default('off').meta({
    description:
      'Write one line of JSON for each request of a client, over every transport, to standard output or standard error. It has no variables, headers or documents.',
  }),
});

export type TelemetryConfig = Readonly<z.output<typeof telemetry>>;
