import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { DEFAULT_LIMITS } from '../../../support/gateway/default-limits.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from '../../../fixtures/fragment-bombs.ts';
import { faultsOf } from '../../../support/gateway/refusal-of.ts';
import { newGeneration } from '../../../support/gateway/new-generation.ts';

const TOO_MANY_ALIASES = `{ me { ${Array.from({ length: 31 }, (_, index) => `a${index}: name`).join(' ')} } }`;

describe('the limits of a generation', () => {
  it.each([
    [TOO_MANY_ALIASES, 'ALIAS_LIMIT_EXCEEDED'],
    [`{me{...F0}}${nestedDoublingFragments(7)}`, 'ALIAS_LIMIT_EXCEEDED'],
    [`{me{...F0}}${doublingFragments(20)}`, 'SELECTION_LIMIT_EXCEEDED'],
    [`{__schema{types{...F0}}}${doublingFragments(20, '__Type')}`, 'SELECTION_LIMIT_EXCEEDED'],
    [`{me{name}}${doublingFragments(40)}`, 'GRAPHQL_VALIDATION_FAILED'],
    [`{me{...F0}}${circleOfFragments(100)}`, 'GRAPHQL_VALIDATION_FAILED'],
    [`{me{name}}${tangledFragments(30)}`, 'GRAPHQL_VALIDATION_FAILED'],
    ['{me{...Nobody}}', 'GRAPHQL_VALIDATION_FAILED'],
    [`${'{nobody'.repeat(13)}${'}'.repeat(13)}`, 'DEPTH_LIMIT_EXCEEDED'],
    [`{${'me{name}'.repeat(21)}}`, 'ROOT_FIELD_LIMIT_EXCEEDED'],
    [`{me{name${' @skip(if: false)'.repeat(5)}}}`, 'DIRECTIVE_LIMIT_EXCEEDED'],
    [Array.from({ length: 11 }, (_, index) => `query Q${index}{me{name}}`).join(' '), 'GRAPHQL_VALIDATION_FAILED'],
  ])('given %j, when preparing, then it is refused as %s, every time', (text, code) => {
    const generation = newGeneration();
    expect(faultsOf(() => generation.prepare(text))[0]).toBe(code);
    expect(faultsOf(() => generation.prepare(text))[0]).toBe(code);
  });

  it('given one operation beyond the limits, when another one of the document is asked for, then it is refused', () => {
    const text = `query Light { me { name } } query Heavy ${TOO_MANY_ALIASES}`;
    expect(faultsOf(() => newGeneration().prepareOperation(text, 'Light'))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
  });

  it('given higher limits, when preparing, then they are what holds', () => {
    const generation = newGeneration({ settings: { limits: { ...DEFAULT_LIMITS, maxAliases: 31 } } });
    expect(generation.prepare(TOO_MANY_ALIASES).text).toBe(TOO_MANY_ALIASES);
  });

  it('given a field that is for once, when an operation has it twice, then it is refused, however it is written', () => {
    const generation = newGeneration({ settings: { limits: { ...DEFAULT_LIMITS, singleUse: ['Mutation.rename', 'Query.me'] } } });
    const rename = (alias: string) => `${alias}: rename(id: 1, name: "x") { id }`;
    for (const text of [
      `mutation { ${rename('a')} ${rename('b')} }`,
      `mutation { ...A ... { ...A } } fragment A on Mutation { ${rename('a')} }`,
      `query Q { me { id } } query R { me { id } m: me { id } }`,
    ]) {
      expect(faultsOf(() => generation.prepare(text))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
    }
    generation.prepare(`mutation Once { ${rename('a')} }`);
    generation.prepare('query Q { me { id } } query R { me { id } }');
  });

  describe('given one limit that is measured among others that are enforced', () => {
    const TWO_LEVELS = '{ me { name } }';
    const generationWith = (limits: object, settings: object = {}) =>
      newGeneration({ settings: { ...settings, limits: { ...DEFAULT_LIMITS, mode: 'enforce', ...limits } } });

    it.each([
      ['depth', { maxDepth: 1 }, TWO_LEVELS],
      ['aliases', { maxAliases: 1 }, '{ a: me { b: name } }'],
      ['rootFields', { maxRootFields: 1 }, '{ me { id } me { id } }'],
      ['selections', { maxSelections: 1 }, TWO_LEVELS],
      ['directives', { maxDirectives: 1 }, '{ me @skip(if: false) { id @skip(if: false) } }'],
      ['operations', { maxOperations: 1 }, 'query A { me { id } } query B { me { id } }'],
      ['singleUse', { singleUse: ['Query.me'] }, '{ me { id } me { id } }'],
    ] as const)('when %s is it and a document goes beyond it, then it is served, and else it is refused', (limit, limits, text) => {
      expect(generationWith({ ...limits, modes: { [limit]: 'measure' } }).prepare(text).text).toBe(text);
      expect(faultsOf(() => generationWith({ ...limits, mode: 'measure', modes: { [limit]: 'enforce' } }).prepare(text))).toHaveLength(2);
    });

    it('when it is the length of documents, then a longer one is served', () => {
      const settings = { maxTokens: 3 };
      expect(generationWith({ modes: { tokens: 'measure' } }, settings).prepare(TWO_LEVELS).text).toBe(TWO_LEVELS);
      expect(faultsOf(() => generationWith({}, settings).prepare(TWO_LEVELS))[0]).toBe('TOKEN_LIMIT_EXCEEDED');
    });

    it('when a document goes beyond it and another, then the other is what it is refused for', () => {
      const generation = generationWith({ maxDepth: 1, modes: { depth: 'measure' } });
      expect(faultsOf(() => generation.prepare(TOO_MANY_ALIASES))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
    });
  });

  describe('given limits that are measured', () => {
    const limits = { ...DEFAULT_LIMITS, mode: 'measure' } as const;

    it('when a document beyond them comes again and again, then it is served and logged once, without its text', () => {
      const logged: unknown[] = [];
      const generation = newGeneration({
        settings: { limits },
        logger: { ...silentLogger, warn: (facts: unknown) => void logged.push(facts) },
      });
      generation.prepareOperation(TOO_MANY_ALIASES);
      expect(generation.prepareOperation(TOO_MANY_ALIASES).kind).toBe('query');
      const message = 'The operation has more than 30 aliases, with its fragments expanded.';
      expect(logged).toEqual([{ excesses: [{ code: 'ALIAS_LIMIT_EXCEEDED', message }], supergraph: generation.id }]);
    });

    it('when a document is not valid or stays within them, then nothing is logged', () => {
      const logged: unknown[] = [];
      const generation = newGeneration({
        settings: { limits },
        logger: { ...silentLogger, warn: (facts: unknown) => void logged.push(facts) },
      });
      expect(faultsOf(() => generation.prepare(TOO_MANY_ALIASES.replace('me', 'nobody')))[0]).toBe('GRAPHQL_VALIDATION_FAILED');
      generation.prepare('{ me { name } }');
      expect(logged).toEqual([]);
    });
  });
});
