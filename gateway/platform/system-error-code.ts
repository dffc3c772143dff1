/** The code that Node gives errors of the system (`ENOENT`, `EADDRINUSE`); undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  // Not by `instanceof`: errors of Node itself may come from another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
