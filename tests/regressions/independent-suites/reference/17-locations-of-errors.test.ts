import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';

describeOnStack('point 17: locations of errors', ({ graphql, tokens }) => {
  it('point to the field for execution errors, through aliases, lists and fragments', async () => {
    const query = `query Q($size: Int) {
  page: users(first: $size) { nodes { ...Person } }
  order(id: 1) { id }
}
fragment Person on User {
  id
  ... on User { secret: email }
}`;
    const { errors = [] } = await graphql(query, { variables: { size: 2 }, operationName: 'Q' });
    expect(errors.length).toBeGreaterThanOrEqual(3);
    for (const { path = [], locations } of errors) {
      expect(locations).toEqual([path[0] === 'order' ? { line: 3, column: 3 } : { line: 7, column: 17 }]);
    }
  });

  it('point to the definition of an invalid variable, in the member order of the specification', async () => {
    const query = 'query ($id: ID!,\n  $first: Int) { user(id: $id) { posts(first: $first) { id } } }';
    for (const [variables, location] of [
      [{ first: 1 }, { line: 1, column: 8 }],
      [
        { id: 1, first: 'many' },
        { line: 2, column: 3 },
      ],
      [
        { id: 1, first: 2 ** 40 },
        { line: 2, column: 3 },
      ],
    ] as const) {
      const { errors, codes } = await graphql(query, { variables, token: tokens.user1 });
      expect([codes, errors?.[0]?.locations]).toEqual([['BAD_USER_INPUT'], [location]]);
    }
    const { errors = [] } = await graphql('{ order(id: 1) { id } }');
    expect(Object.keys(errors[0] ?? {})).toEqual(['message', 'locations', 'path', 'extensions']);
  });
});
