/** What a reference leads to. */
export function resolve<T>(reference: string, section: Readonly<Record<string, T>>): T {
  const found = section[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
