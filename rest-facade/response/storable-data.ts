import type { RestRoute } from '../compile/rest-route.ts';
import { isResultObject, valueAt } from './result-data.ts';

/**
 * Returns whether data may be stored, by the route that reads it. Data without the resource is not stored: its response is an error, and
 * errors are not cached.
 */
export function isStorableFor({ result: { path, shape } }: Pick<RestRoute, 'result'>): (data: string) => boolean {
  return (data) => {
    if (!data.includes('null') && !data.includes('false')) return true;
    const root = valueAt(JSON.parse(data), path);
    return isResultObject(root) || Array.isArray(root) || (shape.size === 0 && root !== null && root !== undefined && root !== false);
  };
}
