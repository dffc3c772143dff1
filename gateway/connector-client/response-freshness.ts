import type { HttpResult, SubgraphResponse } from '../supergraph/subgraph-executor.ts';

/** Combines the lifetimes of several responses to that of the data that is made from them. */
export interface ResponseFreshness {
  /** Adds a response. @param isSuccess whether its data is used; otherwise, nothing of the result may be stored */
  add(received: HttpResult, isSuccess: boolean): void;
  /** Adds a request without a response. */
  addFailure(): void;
  /** Returns the most restrictive headers; undefined values without any. */
  result(): Pick<SubgraphResponse, 'cacheControl' | 'cacheTags'>;
}

const STORABLE = { isStored: true, isPrivate: false, maxAge: undefined as number | undefined };

export function createResponseFreshness(): ResponseFreshness {
  const tags: string[] = [];
  const common = { ...STORABLE };
  let isKnown = false;

  function addFailure(): void {
    common.isStored = false;
    isKnown = true;
  }

  return {
    addFailure,
    add({ headers }, isSuccess) {
      if (!isSuccess) return addFailure();
      const { 'cache-control': cacheControl, age, vary, 'cache-tag': tag } = headers;
      if (tag !== undefined) tags.push(tag);
      if (vary?.trim() === '*') return addFailure();
      if (cacheControl === undefined) return undefined;
      isKnown = true;
      const { isStored, isPrivate, maxAge } = readLifetime(cacheControl, age);
      common.isStored &&= isStored;
      common.isPrivate ||= isPrivate;
      if (maxAge !== undefined) common.maxAge = Math.min(common.maxAge ?? maxAge, maxAge);
      return undefined;
    },
    result() {
      const cacheTags = tags.length === 0 ? undefined : tags.join(', ');
      if (!isKnown) return { cacheControl: undefined, cacheTags };
      if (!common.isStored) return { cacheControl: 'no-store', cacheTags };
      const parts = [...(common.isPrivate ? ['private'] : []), ...(common.maxAge === undefined ? [] : [`max-age=${common.maxAge}`])];
      return { cacheControl: parts.length === 0 ? undefined : parts.join(', '), cacheTags };
    },
  };
}

/** Reads `Cache-Control`. The time that the response has already spent in a cache is deducted (RFC 9111, section 4.2.3). */
function readLifetime(cacheControl: string, age: string | undefined): typeof STORABLE {
  const lifetime = { ...STORABLE };
  for (const directive of cacheControl.toLowerCase().split(',')) {
    const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
    if (name === 'no-store' || name === 'no-cache') lifetime.isStored = false;
    else if (name === 'private') lifetime.isPrivate = true;
    else if (name === 'max-age' || name === 's-maxage') {
      lifetime.maxAge = Math.min(lifetime.maxAge ?? Number.POSITIVE_INFINITY, secondsIn(value));
    }
  }
  if (lifetime.maxAge !== undefined && age !== undefined) lifetime.maxAge = Math.max(0, lifetime.maxAge - secondsIn(age.trim()));
  return lifetime;
}

/** Parses a number of seconds. An invalid number means that the response is stale (RFC 9111, section 4.2.1). */
function secondsIn(text: string): number {
  const [, digits] = /^"?(\d{1,10})"?$/.exec(text) ?? [];
  return digits === undefined ? 0 : Number(digits);
}
