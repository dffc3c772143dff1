/** The resolution of HTTP dates (RFC 9110, section 5.6.7). @unit milliseconds */
const MS_PER_SECOND = 1_000;

/**
 * The `Last-Modified` date of a resource: the first whole second after the change. A date that is rounded down would stand for every
 * state that the resource has within that second, and two changes in it would look like one (RFC 9110, section 8.8.2.2).
 *
 * @param changedAt milliseconds since 1970
 * @returns milliseconds since 1970, whole seconds
 */
export function toLastModified(changedAt: number): number {
  return (Math.floor(changedAt / MS_PER_SECOND) + 1) * MS_PER_SECOND;
}
