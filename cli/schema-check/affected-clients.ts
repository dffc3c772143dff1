import type { SchemaUser } from './schema-user.ts';

/** A client with documents that a change affects. */
export interface AffectedClient {
  readonly name: string;
  /** Versions whose documents are affected, in the order of the manifests. Empty if no manifest names a version. */
  readonly versions: readonly string[];
}

/**
 * Returns the clients of documents, sorted by name. A client of a document is `name` or `name@version`. Names of packages, such as
 * `@shop/web`, can begin with `@`.
 */
export function affectedClients(users: readonly SchemaUser[]): readonly AffectedClient[] {
  const versions = new Map<string, Set<string>>();
  for (const user of users) {
    if (user.kind !== 'document') continue;
    const at = user.client.lastIndexOf('@');
    const [name, version] = at > 0 ? [user.client.slice(0, at), user.client.slice(at + 1)] : [user.client, ''];
    const known = versions.get(name) ?? new Set();
    if (version !== '') known.add(version);
    versions.set(name, known);
  }
  return [...versions]
    .map(([name, known]) => ({ name, versions: [...known] }))
    .toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

/** Describes clients in one line: `ios 3.1, web 1.4.2 and 1.5.0`. */
export function describeClients(clients: readonly AffectedClient[]): string {
  return clients.map(({ name, versions }) => (versions.length === 0 ? name : `${name} ${versions.join(' and ')}`)).join(', ');
}
