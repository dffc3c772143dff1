import type { z } from 'zod';

/** Every mistake of a file with the place where it stands, and without what stands there. */
export function describeFaults({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`)).join('; ');
}
