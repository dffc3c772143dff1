import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { foldersImportingEachOther, namesWithTwoMeanings } from '../proofs/structure/measures.ts';
import { readSources, type Source } from '../proofs/structure/read-sources.ts';

const sources = readSources(packageRoot, ['gateway', 'rest-facade']);

const source = (path: string, more: Partial<Source>): Source => ({ path, lines: 1, text: '', imports: [], exports: [], ...more });

describe('the exported names of gateway and rest-facade', () => {
  it('are declared in one file each', () => {
    expect(sources.length).toBeGreaterThan(400);
    expect(namesWithTwoMeanings(sources)).toEqual([]);
  });

  it('are reported when two files declare the same name', () => {
    const planted = [source('gateway/a.ts', { exports: ['Place'] }), source('rest-facade/b.ts', { exports: ['Place', 'Other'] })];
    expect(namesWithTwoMeanings(planted)).toEqual(['Place in gateway/a.ts, rest-facade/b.ts']);
  });
});

describe('the folders of gateway and rest-facade', () => {
  it('do not import each other in a cycle of two', () => {
    expect(foldersImportingEachOther(sources)).toEqual([]);
  });

  it('are reported when they import each other', () => {
    const planted = [
      source('gateway/a/one.ts', { imports: ['gateway/b/two.ts'] }),
      source('gateway/b/three.ts', { imports: ['gateway/a/four.ts'] }),
    ];
    expect(foldersImportingEachOther(planted)).toEqual(['gateway/a gateway/b']);
  });
});
