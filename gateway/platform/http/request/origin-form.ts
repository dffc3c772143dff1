const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * Returns the target of a request as a path with a query. A target that names its origin too must be understood (RFC 9112, section 3.2.2).
 * Every other target stays as it is, also one that names another host than the `Host` header; the guard refuses those that are no path.
 *
 * @param host the `Host` header; undefined in HTTP/1.0, where the target alone names the host
 */
export function toOriginForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return target;
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined) return target;
  if (host !== undefined && authority.toLowerCase() !== host.toLowerCase()) return target;
  return rest.startsWith('?') ? `/${rest}` : rest;
}
