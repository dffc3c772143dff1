import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { sampleOperations } from '../../../../../gateway/generation/warm-up/sample-operations.ts';
import { buildRandomFederation } from '../../../../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../../../../differential/random-federation/generate-subgraphs.ts';

describe('sampleOperations', () => {
  it('writes none for a schema without queries', () => {
    expect([...sampleOperations(buildSchema('type Mutation { a: Int }'), 10)]).toEqual([]);
  });

  it('writes only different operations for a small schema', () => {
    const operations = [...sampleOperations(buildSchema('type Query { a: Int }'), 100)];
    expect(operations.length).toBeLessThan(5);
    expect(new Set(operations).size).toBe(operations.length);
  });

  it('passes variables for required arguments', () => {
    const schema = buildSchema('input I { a: Int! } type Query { a(first: I!, second: [ID!]!, third: Int): Int }');
    const [operation] = sampleOperations(schema, 1);
    expect(operation).toContain('query Sample($v0: I!, $v1: [ID!]!)');
  });

  it('ends for types that contain themselves', () => {
    const schema = buildSchema('type Query { a: A } type A { a: A list: [A!]! }');
    for (const operation of sampleOperations(schema, 20)) expect(operation.length).toBeLessThan(2_000);
  });

  it('selects fields of a few root fields only', () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => `f${index}: Int`);
    const operations = [...sampleOperations(buildSchema(`type Query { ${fields.join(' ')} }`), 200)];
    const used = new Set(operations.flatMap((operation) => operation.match(/f\d+/g) ?? []));
    expect(used.size).toBeGreaterThan(10);
    expect(used.size).toBeLessThan(50);
  });

  it.each([1, 2, 3, 4, 5, 7, 8, 9])('writes valid, different operations for the random graph of seed %d', (seed) => {
    const federation = buildRandomFederation(generateSubgraphs(seed), seed);
    if ('reasons' in federation) throw new Error(federation.reasons.join('; '));
    const { monolith } = federation;
    const operations = [...sampleOperations(monolith, 60)];
    expect(operations.length).toBeGreaterThan(20);
    expect(new Set(operations).size).toBe(operations.length);
    expect(operations.flatMap((operation) => validate(monolith, parse(operation)))).toEqual([]);
    expect(operations).toEqual([...sampleOperations(monolith, 60)]);
    for (const feature of ['fragment ', 's1_']) expect(operations.join('\n')).toContain(feature);
  });
});
