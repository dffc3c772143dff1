import { expect, it } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, type GraphQLObjectType, type IntrospectionQuery, printSchema } from 'graphql';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('introspection', ({ graphql }) => {
  it('returns a complete schema without internals of the federation', async () => {
    const { data, errors } = await graphql<IntrospectionQuery>(
      getIntrospectionQuery({ inputValueDeprecation: true, directiveIsRepeatable: true, specifiedByUrl: true }),
    );
    expect(errors).toBeUndefined();
    if (!data) throw new Error('The response has no data.');
    const schema = buildClientSchema(data);
    expect(printSchema(schema)).not.toMatch(/join__|link__|_Entity|_Service|_Any|_entities|@key/);
    const fieldsOf = (name: string) => Object.keys((schema.getType(name) as GraphQLObjectType).getFields());
    expect(fieldsOf('User')).toEqual(expect.arrayContaining(['id', 'name', 'email', 'age', 'posts', 'orders']));
    expect(fieldsOf('Query')).toEqual(
      expect.arrayContaining(['user', 'me', 'users', 'post', 'posts', 'allPosts', 'order', 'orders', 'book', 'books', 'payment', 'search']),
    );
    expect(schema.getSubscriptionType()?.name).toBe('Subscription');
    expect(String(schema.getType('SearchResult'))).toBe('SearchResult');
  });

  it('names the replacement of the deprecated field', async () => {
    const { data } = await graphql<{
      __type: { fields: readonly { name: string; isDeprecated: boolean; deprecationReason: string | null }[] };
    }>('{ __type(name: "Query") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }');
    expect(data?.__type.fields.filter(({ isDeprecated }) => isDeprecated)).toEqual([
      { name: 'allPosts', isDeprecated: true, deprecationReason: expect.stringContaining('posts') },
    ]);
  });

  it('is returned next to data', async () => {
    const { data, errors } = await graphql(
      '{ __type(name: "OrderStatus") { enumValues { name } } book(id: "1") { __typename id } __typename }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      __type: { enumValues: ['PENDING', 'CONFIRMED', 'SHIPPED', 'CANCELLED'].map((name) => ({ name })) },
      book: { __typename: 'Book', id: '1' },
      __typename: 'Query',
    });
  });

  it('returns null for an unknown type', async () => {
    expect((await graphql('{ __type(name: "Nothing") { name } }')).data).toEqual({ __type: null });
  });

  it('applies variables and conditions', async () => {
    const query = 'query ($name: String!, $more: Boolean!) { __type(name: $name) { name kind @include(if: $more) } }';
    expect((await graphql(query, { variables: { name: 'User', more: false } })).data).toEqual({ __type: { name: 'User' } });
    expect((await graphql(query, { variables: { name: 'User', more: true } })).data).toEqual({ __type: { name: 'User', kind: 'OBJECT' } });
  });
});
