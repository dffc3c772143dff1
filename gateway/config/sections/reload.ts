import { z } from 'zod';

/** Section `reload`: when `gatefold serve` reads its configuration again. */
export const reload = z.strictObject({
  watch: z.boolean().default(false).meta({
    description:
      'Reload the configuration when its file changes, in addition to the signal SIGHUP. See docs/operate/reload-configuration.md.',
  }),
});
