import { z } from 'zod';

export const maintenance = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .meta({ description: 'Start in maintenance mode: all endpoints except health checks respond with 503 `MAINTENANCE`.' }),
  retryAfterSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(120)
    .meta({ description: 'Value of the `Retry-After` header in maintenance mode.', unit: 'seconds' }),
  file: z.string().min(1).optional().meta({
    description: 'While this file exists, maintenance mode is on. All gateways that can read the file switch within one second.',
    path: true,
  }),
  key: z.string().min(32).optional().meta({
    description: 'Bearer token for `/maintenance` on the internal listener. If it is not set, the endpoint is disabled.',
    secret: true,
  }),
});

export type MaintenanceConfig = Readonly<z.infer<typeof maintenance>>;
