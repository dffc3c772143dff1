import { expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('documents that request too much', (stack) => {
  const { graphql, tokens, subgraphUrls, developmentKey, identitySecret } = stack;
  const startWith = (limits: Readonly<Record<string, unknown>>) =>
    startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, config: { profile: 'dev', auth: { developmentKey }, limits } });

  const doubling = (count: number, content: (next: string) => string) =>
    `{ user(id: "1") { ...F0 } } ${Array.from({ length: count }, (_, index) => `fragment F${index} on User { ${content(`...F${index + 1}`)} }`).join(' ')} fragment F${count} on User { name }`;

  it.each<[string, string, string]>([
    ['300 levels', `{ user(id: "1") { ${'posts { author { '.repeat(150)} id ${'} } '.repeat(150)} } }`, 'DEPTH_LIMIT_EXCEEDED'],
    [
      'seven doubling fragments with aliases, which are too deep as well',
      doubling(7, (next) => `posts { author { ${next} } } p: posts { author { ${next} } }`),
      'DEPTH_LIMIT_EXCEEDED',
    ],
    [
      'five doubling fragments with aliases',
      doubling(5, (next) => `posts { author { ${next} } } p: posts { author { ${next} } }`),
      'ALIAS_LIMIT_EXCEEDED',
    ],
    ['forty doubling fragments', doubling(40, (next) => `${next} ${next}`), 'SELECTION_LIMIT_EXCEEDED'],
    ['21 root fields', `{ ${'user(id: "1") { name } '.repeat(21)} }`, 'ROOT_FIELD_LIMIT_EXCEEDED'],
    ['five conditions on a field', `{ user(id: "1") { name ${'@skip(if: false) '.repeat(5)} } }`, 'DIRECTIVE_LIMIT_EXCEEDED'],
    [
      'a circle of fragments',
      '{ user(id: "1") { ...A } } fragment A on User { ...B } fragment B on User { ...A }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['an unknown fragment', '{ user(id: "1") { ...A } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('executes nothing of %s for any caller', async (_what, query, code) => {
    for (const token of [undefined, tokens.admin]) {
      const response = await graphql(query, { token });
      expect(new Set(response.codes)).toEqual(new Set([code]));
      expect(response.data).toBeUndefined();
    }
  });

  it('serves the introspection query', async () => {
    const { data, errors } = await graphql(getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true }));
    expect(errors).toBeUndefined();
    expect(data).toHaveProperty('__schema.types');
  });

  it('does not start with limits below those of REST documents, and names them all', async () => {
    const start = startWith({ maxDepth: 1 });
    await expect(start).rejects.toThrow(/books\.graphql:\d+:\d+: The gateway rejects \w+: The operation "\w+" has more than 1 levels/);
    await expect(start).rejects.toThrow(/users\.graphql:\d+:\d+: The gateway rejects \w+/);
  });

  it('serves a document beyond the limits in mode `measure`', async () => {
    await using gateway = await startWith({ mode: 'measure', maxDepth: 1 });
    const { data } = await graphql('{ user(id: "1") { id } }', { origin: gateway.url });
    expect(data).toEqual({ user: { id: '1' } });
  });
});
