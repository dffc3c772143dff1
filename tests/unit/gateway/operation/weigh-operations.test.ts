import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode, visit } from 'graphql';
import type { SelectionWeight } from '../../../../gateway/operation/selection-weight.ts';
import { weighOperations } from '../../../../gateway/operation/weigh-operations.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from './fragment-bombs.ts';
import { anyDocument, properDocument } from './random-document.ts';

const weigh = (document: DocumentNode, ceilings = UNBOUNDED) => [...weighOperations(document, ceilings).weights.values()];
const stepsFor = (text: string) => weighOperations(parse(text, { noLocation: true }), UNBOUNDED).steps;

const COUNTS = { depth: 1e9, aliases: 1e9, selections: 1e9 };
const UNBOUNDED: SelectionWeight = { data: COUNTS, introspection: COUNTS, rootFields: 1e9 };

describe('weighOperations', () => {
  it.each([
    ['doubling fragments', (count: number) => `{...F0}${doublingFragments(count)}`],
    ['nested doubling fragments', (count: number) => `{...F0}${nestedDoublingFragments(count)}`],
    ['a circle of fragments', (count: number) => `{...F0}${circleOfFragments(count)}`],
    ['ten operations over doubling fragments', (count: number) => `${'{...F0}'.repeat(10)}${doublingFragments(count)}`],
    ['fragments in and out of introspection', (count: number) => `{...F0 __schema{...F0}}${doublingFragments(count)}`],
  ])('given twice as many of %s, when weighing, then it takes at most twice the steps', (_what, write) => {
    const [few, many] = [stepsFor(write(200)), stepsFor(write(400))];
    expect(many).toBeLessThanOrEqual(2 * few);
  });

  it('given fragments that spread each other, when weighing, then each spread is looked at once', () => {
    expect(stepsFor(`{...F0}${tangledFragments(60)}`)).toBe(1 + 60 * 60);
  });

  it('given any document that parses, when weighing, then it ends after at most two steps for each selection', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        const document = parse(text);
        let selections = 0;
        visit(document, { SelectionSet: (set) => void (selections += set.selections.length) });
        expect(weighOperations(document, UNBOUNDED).steps).toBeLessThanOrEqual(2 * selections);
      }),
      { numRuns: 1_000 },
    );
  });

  it('given any document without circles, when weighing, then the numbers are those of expanding it', () => {
    fc.assert(
      fc.property(properDocument, (text) => {
        const document = parse(text);
        expect(weigh(document)).toEqual(operationsOf(document).map((operation) => expand(document, operation)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('given any ceilings, when weighing, then the numbers are those of expanding the document, cut there', () => {
    const ceiling = fc.integer({ min: 1, max: 12 });
    const counts = fc.record({ depth: ceiling, aliases: ceiling, selections: ceiling });
    const anyCeilings = fc.record({ data: counts, introspection: counts, rootFields: ceiling });
    fc.assert(
      fc.property(properDocument, anyCeilings, (text, ceilings) => {
        const document = parse(text);
        const expanded = operationsOf(document).map((operation) => cut(expand(document, operation), ceilings));
        expect(weigh(document, ceilings).map((weight) => cut(weight, ceilings))).toEqual(expanded);
      }),
      { numRuns: 1_000 },
    );
  });

  it('given any document without circles, when graphql-depth-limit measures it too, then the depths are the same', () => {
    fc.assert(
      fc.property(properDocument, (text) => {
        const document = parse(text.replaceAll(/__schema/g, 'schema').replaceAll('...Unknown', 'unknown'));
        const [operation] = operationsOf(document);
        if (operation === undefined) throw new Error('there is an operation in each document');
        const alone = { ...document, definitions: document.definitions.filter((one) => one.kind !== operation.kind || one === operation) };
        const [weight] = weigh(alone);
        expect(weight?.data.depth).toBe(depthByLibrary(alone) + 1); // it counts the steps between levels
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

const require = createRequire(import.meta.url); // the package has no types
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

/** The weight of an operation by walking all that it expands to: what must not be done to a stranger's document. */
function expand({ definitions }: DocumentNode, operation: OperationDefinitionNode): SelectionWeight {
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
  return weight;
}

function cut({ data, introspection, rootFields }: SelectionWeight, ceilings: SelectionWeight): SelectionWeight {
  const cutCounts = (counts: SelectionWeight['data'], at: SelectionWeight['data']) => ({
    depth: Math.min(counts.depth, at.depth),
    aliases: Math.min(counts.aliases, at.aliases),
    selections: Math.min(counts.selections, at.selections),
  });
  return {
    data: cutCounts(data, ceilings.data),
    introspection: cutCounts(introspection, ceilings.introspection),
    rootFields: Math.min(rootFields, ceilings.rootFields),
  };
}
