import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../../gateway/platform/errors.ts';
import { type ChosenVersion, chooseVersion } from '../../../../../rest-facade/request/negotiation/choose-version.ts';
import type { Match } from '../../../../../rest-facade/compile/route-matcher.ts';
import { parseQuery } from '../../../../../rest-facade/request/parameters/query-parameters.ts';
import { createAcceptReader } from '../../../../../rest-facade/request/negotiation/content-negotiation.ts';

const readAccept = createAcceptReader('shop');
const VERSIONS = { all: [1, 2, 3], default: 1 };
const match: Match = { routes: new Map(), parameters: [], mount: '', root: '' };

interface QueryResult {
  readonly path?: number;
  readonly query?: string;
  readonly accept?: string;
  /** Versions that have a route at the path. */
  readonly there?: readonly number[];
}

function choose({ path, query = '', accept, there = VERSIONS.all }: QueryResult): ChosenVersion {
  const byVersion = new Map((path === undefined ? there : [path]).map((version) => [version, match]));
  const found = { byVersion, isNamed: path !== undefined };
  return chooseVersion({ found, query: parseQuery(query), acceptance: readAccept(accept) }, VERSIONS);
}

const error = (requested: QueryResult): unknown => {
  try {
    return choose(requested).version;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.code;
  }
};

const V = (version: number): string => `application/vnd.shop.v${version}+json`;

describe('the version of a request', () => {
  it.each<[QueryResult, string]>([
    [{ path: 1, query: 'version=2' }, 'VERSION_CONFLICT'],
    [{ path: 1, accept: V(2) }, 'VERSION_CONFLICT'],
    [{ query: 'version=1', accept: V(2) }, 'VERSION_CONFLICT'],
    [{ path: 2, query: 'version=2', accept: V(3) }, 'VERSION_CONFLICT'],
    [{ query: 'version=4' }, 'INVALID_PARAMETER'],
    [{ query: 'version=0' }, 'INVALID_PARAMETER'],
    [{ query: 'version=02' }, 'INVALID_PARAMETER'],
    [{ query: 'version=' }, 'INVALID_PARAMETER'],
    [{ query: 'version=2&version=2' }, 'INVALID_PARAMETER'],
    [{ query: 'version=9999999999999999999' }, 'INVALID_PARAMETER'],
    [{ accept: V(4) }, 'NOT_ACCEPTABLE'],
    [{ path: 2, accept: V(4) }, 'NOT_ACCEPTABLE'],
    [{ there: [2] }, 'NOT_FOUND'],
    [{ there: [1], accept: V(2) }, 'NOT_FOUND'],
  ])('%j is rejected with %s', (requested, code) => expect(error(requested)).toBe(code));

  it.each<[QueryResult, number]>([
    [{}, 1],
    [{ path: 2 }, 2],
    [{ query: 'version=2' }, 2],
    [{ accept: V(2) }, 2],
    [{ path: 2, query: 'version=2', accept: V(2) }, 2],
    [{ path: 2, accept: 'application/json' }, 2],
    [{ path: 2, accept: `${V(3)}, */*;q=0.1` }, 2],
    [{ accept: `${V(4)}, ${V(3)};q=0.5` }, 3],
    [{ accept: `application/json, ${V(2)};q=0.5` }, 1],
    [{ accept: 'text/html' }, 1],
  ])('%j selects version %d', (requested, version) => expect(choose(requested).version).toBe(version));

  it('lists the existing versions when the parameter is invalid', () => {
    expect(() => choose({ query: 'version=7' })).toThrow('"version" must be one of 1, 2, 3.');
  });

  it('the media type that matches the chosen version is the type of the response', () => {
    expect(choose({ path: 2, accept: `${V(3)}, application/vnd.shop.v2.links+json;q=0.3` }).type).toMatchObject({
      shape: 'links',
      version: 2,
    });
    expect(choose({ accept: 'text/html' }).type).toBeUndefined();
  });
});
