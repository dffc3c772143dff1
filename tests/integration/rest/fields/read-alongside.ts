/** Reads a part and its whole. Other tests write at the same time, so both are read again until the whole is the same before and after. */
export async function readAlongside<T>(
  readWhole: () => Promise<unknown>,
  readPart: () => Promise<T>,
): Promise<{ readonly whole: unknown; readonly part: T }> {
  for (let whole = await readWhole(); ; ) {
    const part = await readPart();
    const after = await readWhole();
    if (JSON.stringify(after) === JSON.stringify(whole)) return { whole, part };
    whole = after;
  }
}
