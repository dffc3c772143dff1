const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * The target of a request as a path with a query. One that names its origin too must be understood (RFC 9112, section 3.2.2); where that is
 * another host than the `Host` header says, it stays as it is, and is refused like all that is no path.
 */
export function toOriginForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return target;
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority?.toLowerCase() !== host?.toLowerCase()) return target;
  return rest.startsWith('?') ? `/${rest}` : rest;
}
