import { describe, expect, it } from '@jest/globals';
import { inferShape } from '../../../../../gateway/connectors/selection/infer-shape.ts';
import { parseExpression, parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import type { MappingShape } from '../../../../../gateway/connectors/selection/mapping-shape.ts';

const object = (fields: Readonly<Record<string, MappingShape>>, open = false): MappingShape => ({
  kind: 'object',
  open,
  fields: new Map(Object.entries(fields)),
});

const KNOWN: ReadonlyMap<string, MappingShape> = new Map([
  [
    '$args',
    object({
      id: { kind: 'string' },
      page: { kind: 'union', members: [{ kind: 'number' }, { kind: 'null' }] },
      filter: object({ tags: { kind: 'list', items: { kind: 'string' } } }),
      items: { kind: 'list', items: object({ n: { kind: 'number' } }) },
    }),
  ],
  ['$config', object({}, true)],
]);

function print(shape: MappingShape): string {
  switch (shape.kind) {
    case 'object':
      return `{ ${[...shape.fields].map(([name, inner]) => `${name}: ${print(inner)}`).join(', ')}${shape.open ? ' …' : ''} }`;
    case 'list':
      return `[${print(shape.items)}]`;
    case 'union':
      return shape.members.map(print).join(' | ');
    case 'boolean':
    case 'nothing':
    case 'null':
    case 'number':
    case 'string':
    case 'unknown':
      break;
  }
  return shape.kind;
}

describe('inferShape', () => {
  it.each([
    ['$args.none', 'nothing', 'The object has no property "none"', 6],
    ['$args.filter.tag', 'nothing', 'The object has no property "tag"', 13],
    ['$args.id.x', 'nothing', 'A string has no property "x"', 9],
    ['$args.items.m', 'nothing', 'The list has no property "m"', 12],
    ['$args.id->add(1)', 'nothing', 'A string cannot be the input of ->add', 10],
    ['$args.filter->toString', 'nothing', 'The object cannot be the input of ->toString', 14],
    ['$args.items->map(@.m)', '[nothing]', 'The object has no property "m"', 19],
    ['$args.id->eq', 'nothing', '->eq takes 1 argument, but has 0', 10],
    // `@` in the arguments of `->and` is the boolean before it.
    ['$args.id->matchIf([@->eq("a")->and(@->lt("b")), 1])', 'number', 'A boolean cannot be the input of ->lt', 38],
    ['$args.id->match([$args.page.x, 1])', 'number', 'The value has no property "x"', 28],
  ])('finds the mistake in %s', (text, shape, message, offset) => {
    const result = inferShape(parseExpression(text, '0.3'), KNOWN);
    expect(print(result.shape)).toBe(shape);
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]?.message).toBe(message);
    expect(result.problems[0]?.offset).toBe(offset);
  });

  it.each([
    ['$args.id', 'string'],
    ['$args.page', 'number | null'],
    ['$args.page->add(1)', 'number'],
    ['$args.none?', 'nothing'],
    ['$args.none ?? 1', 'number'],
    ['$args.items.n', '[number]'],
    ['$args.items->first.n', 'number'],
    ['$args.items->map({ a: @.n })', '[{ a: number }]'],
    ['$args.filter.tags->joinNotNull(",")', 'string'],
    ['$args.filter { tags }', '{ tags: [string] }'],
    ['$args.items { x: n }', '[{ x: number }]'],
    ['$config.a.b', 'unknown'],
    ['$other.a->size', 'number'],
    ["$args.id->match(['a', 1], [@, 'b'])", 'number | string'],
    ['$args.id->as($x)->echo([$x])', '[string]'],
    ["{ a: 1, b: ['x'] }", '{ a: number, b: [string] }'],
    ['null', 'null'],
  ])('infers the shape of %s', (text, shape) => {
    const result = inferShape(parseExpression(text, '0.3'), KNOWN);
    expect(print(result.shape)).toBe(shape);
    expect(result.problems).toEqual([]);
  });

  it('does not know whether a selection of unknown data is an object, a list or null', () => {
    expect(print(inferShape(parseSelection('id name: $("x")', '0.3'), new Map()).shape)).toBe('unknown');
  });

  it('finds mistakes in a selection of unknown data', () => {
    const { problems } = inferShape(parseSelection('id name: $("x")->add(1)', '0.3'), new Map());
    expect(problems).toEqual([{ message: 'A string cannot be the input of ->add', path: ['->add'], offset: 17 }]);
  });
});
