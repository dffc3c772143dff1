import { describe, expect, it } from '@jest/globals';
import type { SelectedField } from '../../../../../gateway/connectors/selection/selected-field.ts';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import { variableUsesOf } from '../../../../../gateway/connectors/selection/variable-uses.ts';

function printTree(fields: readonly SelectedField[] | undefined): string {
  return (fields ?? []).map(({ name, children }) => (children === undefined ? name : `${name} { ${printTree(children)} }`)).join(' ');
}

/** Prints each use as `$this.a.b { c }`. */
function usesIn(text: string): readonly string[] {
  return variableUsesOf(parseSelection(text, '0.3')).map(({ variable, path, subtree }) => {
    const steps = [variable, ...path.map(({ name }) => name)].join('.');
    return subtree === undefined ? steps : `${steps} { ${printTree(subtree)} }`;
  });
}

describe('variableUsesOf', () => {
  it.each([
    ['id name: a.b', []],
    ['a: $ b: @ c: $.x', []],
    ['a: b->as($x)->echo($x.y)', []],
    ['a: $this', ['$this']],
    ['a: $this.owner.id', ['$this.owner.id']],
    ['a: $this?.owner?.id?', ['$this.owner.id']],
    ['$this { id o: owner { n: name } }', ['$this { id owner { name } }']],
    ['$this { a: $.id b: @.name c: owner.x.y }', ['$this { id name owner { x { y } } }']],
    ['a: $this.items->map(@.id)', ['$this.items { id }']],
    ['a: $this.items->filter(@.ok)->first { id }', ['$this.items { ok id }']],
    ['a: $this.items->map({ x: @.id, y: $args.z })->first.ignored', ['$this.items { id }', '$args.z']],
    ['a: $this->as($t)->echo([$t.id, $t.name])', ['$this { id name }']],
    ['a: $this.n->as($x, $args.y)->add($x)', ['$this.n', '$args.y']],
    ['a: $args.x->eq($this.y)', ['$args.x', '$this.y']],
    ['a: $($args.x ?? $config.y)', ['$args.x', '$config.y']],
    ['a: $([$env.A, { b: $status }])', ['$env.A', '$status']],
    ["a: b->match(['x', $args.y], [@, $args.z])", ['$args.y', '$args.z']],
    ["a: $request.headers.'x-id'->first", ['$request.headers.x-id']],
    ['a { b { c: $args.d } }', ['$args.d']],
    ['ids: $batch.id other: $batch { k { l } }', ['$batch.id', '$batch { k { l } }']],
  ])('finds the uses in %s', (text, uses) => {
    expect(usesIn(text)).toEqual(uses);
  });

  it('gives the positions of variables and properties', () => {
    expect(variableUsesOf(parseSelection('id: $this.id { x }', '0.3'))).toEqual([
      { variable: '$this', offset: 4, path: [{ name: 'id', offset: 10 }], subtree: [{ name: 'x', offset: 15, isLeaf: undefined }] },
    ]);
  });
});
