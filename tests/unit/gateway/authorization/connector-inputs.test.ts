import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { compileRules } from '../../../../gateway/authorization/compile-rules.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { composeConnected } from '../../../support/connectors/expand-composed.ts';

/** Compiles the rules of a type whose field `bonus` is computed from two others. */
function compile(rules: { readonly id?: string; readonly salary?: string; readonly bonus?: string }): unknown {
  const { id = '', salary = '', bonus = '' } = rules;
  const con = `type Query { staff: [Person] @connect(http: { GET: "http://a/staff" }, selection: "id salary") }
    type Person @key(fields: "id") {
      id: ID! ${id}
      salary: Int ${salary}
      bonus: Int ${bonus} @connect(http: { GET: "http://a/{$this.id}/bonus?of={$this.salary}" }, selection: "$.bonus")
    }`;
  const { graph, authorization, creatorGrants, connectors } = loadSupergraph(print(composeConnected({ con })));
  return compileRules(graph, authorization, creatorGrants, connectors);
}

describe('compileRules, given a field of a connector', () => {
  it('rejects an open field that is computed from a guarded one', () => {
    expect(() => compile({ salary: '@authenticated' })).toThrow(
      'Person.bonus is computed from Person.salary, but does not have its rules.',
    );
  });

  it('accepts a field with the rules of its inputs', () => {
    expect(compile({ salary: '@authenticated', bonus: '@authenticated' })).toBeDefined();
  });

  it('accepts an open field of an object that a guarded key identifies', () => {
    expect(compile({ id: '@authenticated' })).toBeDefined();
  });
});
