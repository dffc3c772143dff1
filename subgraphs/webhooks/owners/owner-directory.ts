import type { Permissions } from './permissions.ts';

/** Owner of an endpoint, with the permissions that were stored with it. */
export interface Owner extends Permissions {
  readonly id: string;
}

/**
 * Returns the current permissions of an owner; undefined when the owner does not exist or no longer exists. The source depends on the
 * graph, such as a user directory or an identity provider. An error means that the directory cannot be read at the moment.
 */
export type OwnerDirectory = (owner: Owner) => Promise<Permissions | undefined>;

/** Directory of graphs whose permissions are only in credentials: each owner exists, with the stored permissions. */
export const credentialsOnly: OwnerDirectory = async (owner) => owner;
