import { z } from 'zod';

export const maintenance = z.strictObject({
  enabled: z.boolean().default(false).meta({ description: 'Start in maintenance: every door but health answers 503 `MAINTENANCE`.' }),
  retryAfterSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(120)
    .meta({ description: 'When clients are told to come back (`Retry-After`).', unit: 'seconds' }),
  file: z.string().min(1).optional().meta({
    description: 'While this file exists there is maintenance: one file switches all gateways that see it, within a second.',
    path: true,
  }),
  key: z.string().min(32).optional().meta({
    description: 'Bearer token of `/maintenance` on the internal listener. Without one maintenance is not switched there.',
    secret: true,
  }),
});

export type MaintenanceConfig = Readonly<z.infer<typeof maintenance>>;
