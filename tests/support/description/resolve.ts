/** Returns the target of a reference. */
export function resolve<T>(reference: string, section: Readonly<Record<string, T>>): T {
  const found = section[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`The reference ${reference} has no target.`);
  return found;
}
