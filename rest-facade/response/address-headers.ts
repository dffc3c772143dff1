import type { ReadyRequest } from '../http/ready-request.ts';
import type { RequestAddress } from '../http/request-address.ts';
import type { LocationTemplate } from '../compile/endpoint/path-template.ts';
import type { DataObject } from './result-values.ts';

/**
 * Where what was created is, and where the content of the answer can be had by GET (RFC 9110, section 8.7): it cannot where it was narrowed, or
 * shows what is shown here alone.
 */
export function addressHeaders(root: DataObject, { route, bound, address, isMinimal }: ReadyRequest): Readonly<Record<string, string>> {
  if (route.location !== undefined) {
    const location = toLocation(route.location, root, address);
    const isWhole = bound.fields === undefined && !isMinimal && route.result.beside === undefined;
    return isWhole ? { location, 'content-location': location } : { location };
  }
  return address.contentLocation === undefined || isMinimal ? {} : { 'content-location': address.contentLocation };
}

function toLocation(template: LocationTemplate, root: DataObject, { prefix, suffix }: RequestAddress): string {
  const path = template.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(root[part])))).join('');
  return prefix + path + suffix;
}
