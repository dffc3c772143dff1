import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { outlineDocument } from '../../../../../gateway/operation/limits/outline-document.ts';
import { createOperationMeasure, type OperationMetrics } from '../../../../../gateway/operation/limits/measure-operation.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from '../../../../fixtures/fragment-bombs.ts';
import { anyDocument, properDocument } from '../random-document.ts';

const outlineOf = (text: string) => {
  const outline = outlineDocument(text, { maxTokens: 1_000_000, watched: [] });
  if (outline === undefined) throw new Error('The test document is not an executable document.');
  return outline;
};
const costOf = (text: string, ceilings = UNBOUNDED) => {
  const outline = outlineOf(text);
  return outline.operations.map(createOperationMeasure(outline, ceilings));
};

/** Counts the lookups of fragments. A spread that has to wait for its fragment causes two lookups. */
function stepsFor(text: string): number {
  const outline = outlineOf(text);
  let steps = 0;
  const get = (name: string) => {
    steps += 1;
    return outline.fragments.get(name);
  };
  outline.operations.map(createOperationMeasure({ ...outline, fragments: { get } as typeof outline.fragments }, UNBOUNDED));
  return steps;
}

const UNBOUNDED: OperationMetrics = {
  depth: 1e9,
  aliases: 1e9,
  selections: 1e9,
  introspectionDepth: 1e9,
  introspectionAliases: 1e9,
  introspectionSelections: 1e9,
  rootFields: 1e9,
};

describe('createOperationMeasure', () => {
  it.each([
    ['doubling fragments', (count: number) => `{...F0}${doublingFragments(count)}`],
    ['nested doubling fragments', (count: number) => `{...F0}${nestedDoublingFragments(count)}`],
    ['a cycle of fragments', (count: number) => `{...F0}${circleOfFragments(count)}`],
    ['ten operations over doubling fragments', (count: number) => `${'{...F0}'.repeat(10)}${doublingFragments(count)}`],
    ['fragments in and out of introspection', (count: number) => `{...F0 __schema{...F0}}${doublingFragments(count)}`],
  ])('takes at most twice the steps for twice as many of %s', (_what, write) => {
    const [few, many] = [stepsFor(write(200)), stepsFor(write(400))];
    expect(many).toBeLessThanOrEqual(2 * few);
  });

  it('visits each spread at most twice when fragments spread each other', () => {
    expect(stepsFor(`{...F0}${tangledFragments(60)}`)).toBe(1 + 60 * 60 + 60);
  });

  it('visits each spread at most four times in any document that parses', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        expect(stepsFor(text)).toBeLessThanOrEqual(4 * (text.match(/\.\.\.\w/g)?.length ?? 0));
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the same numbers as a full expansion for any document without cycles', () => {
    fc.assert(
      fc.property(properDocument, (text) => {
        const document = parse(text);
        expect(costOf(text)).toEqual(operationsOf(document).map((operation) => expand(document, operation)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the numbers of a full expansion, cut at any ceilings', () => {
    const ceiling = fc.integer({ min: 1, max: 12 });
    const anyCeilings = fc.record({
      depth: ceiling,
      aliases: ceiling,
      selections: ceiling,
      introspectionDepth: ceiling,
      introspectionAliases: ceiling,
      introspectionSelections: ceiling,
      rootFields: ceiling,
    });
    fc.assert(
      fc.property(properDocument, anyCeilings, (text, ceilings) => {
        const document = parse(text);
        const expanded = operationsOf(document).map((operation) => cut(expand(document, operation), ceilings));
        expect(costOf(text, ceilings).map((weight) => cut(weight, ceilings))).toEqual(expanded);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the same depth as graphql-depth-limit for any document without cycles', () => {
    fc.assert(
      fc.property(properDocument, (text) => {
        const known = text.replaceAll(/__schema/g, 'schema').replaceAll('...Unknown', 'unknown');
        const document = parse(known);
        const [operation] = operationsOf(document);
        if (operation === undefined) throw new Error('The generated document has no operation.');
        const alone = { ...document, definitions: document.definitions.filter((one) => one.kind !== operation.kind || one === operation) };
        const [weight] = costOf(known);
        expect(weight?.depth).toBe(depthByLibrary(alone) + 1); // The library counts the steps between levels.
      }),
      { numRuns: 500 },
    );
  });
});

type DepthLimit = (
  maxDepth: number,
  options: object,
  report: (depths: Readonly<Record<string, number>>) => void,
) => (context: { getDocument(): DocumentNode; reportError(error: Error): void }) => unknown;

const require = createRequire(import.meta.url); // The package has no type declarations.
const depthLimit = require('graphql-depth-limit') as DepthLimit;

function depthByLibrary(document: DocumentNode): number {
  let depth = -1;
  const rule = depthLimit(1_000, {}, (depths) => void (depth = Math.max(...Object.values(depths))));
  rule({
    getDocument: () => document,
    reportError(error) {
      throw error;
    },
  });
  return depth;
}

function operationsOf({ definitions }: DocumentNode): readonly OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

/** Measures an operation by walking its full expansion. The gateway must not do this with an untrusted document. */
function expand({ definitions }: DocumentNode, operation: OperationDefinitionNode): OperationMetrics {
  const weight = {
    data: { depth: 0, aliases: 0, selections: 0 },
    introspection: { depth: 0, aliases: 0, selections: 0 },
    rootFields: 0,
  };
  const walk = ({ selections }: SelectionSetNode, levels: { data: number; introspection: number }): void => {
    for (const selection of selections) {
      const isIn = levels.introspection > 0;
      if (selection.kind === Kind.FIELD) {
        const kind = isIn || ['__schema', '__type'].includes(selection.name.value) ? 'introspection' : 'data';
        const inside = { ...levels, [kind]: levels[kind] + 1 };
        weight[kind].selections += 1;
        weight[kind].depth = Math.max(weight[kind].depth, inside[kind]);
        if (selection.alias !== undefined) weight[kind].aliases += 1;
        if (kind === 'data' && levels.data === 0) weight.rootFields += 1;
        if (selection.selectionSet !== undefined) walk(selection.selectionSet, inside);
        continue;
      }
      weight[isIn ? 'introspection' : 'data'].selections += 1;
      const content =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value);
      if (content !== undefined && 'selectionSet' in content && content.selectionSet !== undefined) walk(content.selectionSet, levels);
    }
  };
  walk(operation.selectionSet, { data: 0, introspection: 0 });
  const { data, introspection, rootFields } = weight;
  return {
    ...data,
    introspectionDepth: introspection.depth,
    introspectionAliases: introspection.aliases,
    introspectionSelections: introspection.selections,
    rootFields,
  };
}

function cut(weight: OperationMetrics, at: OperationMetrics): OperationMetrics {
  const names = Object.keys(at) as (keyof OperationMetrics)[];
  return { ...weight, ...Object.fromEntries(names.map((name) => [name, Math.min(weight[name], at[name])])) };
}
