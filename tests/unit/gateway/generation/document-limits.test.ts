import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { DEFAULT_LIMITS } from '../../../support/gateway/default-limits.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from '../../../fixtures/fragment-bombs.ts';
import { errorsOf } from '../../../support/gateway/catch-rejection.ts';
import { newGeneration } from '../../../support/gateway/new-generation.ts';

const TOO_MANY_ALIASES = `{ me { ${Array.from({ length: 31 }, (_, index) => `a${index}: name`).join(' ')} } }`;

describe('limits of a generation', () => {
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
  ])('reject %j with %s every time', (text, code) => {
    const generation = newGeneration();
    expect(errorsOf(() => generation.prepare(text))[0]).toBe(code);
    expect(errorsOf(() => generation.prepare(text))[0]).toBe(code);
  });

  it('reject a document when another of its operations exceeds them', () => {
    const text = `query Light { me { name } } query Heavy ${TOO_MANY_ALIASES}`;
    expect(errorsOf(() => newGeneration().prepareOperation(text, 'Light'))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
  });

  it('can be raised', () => {
    const generation = newGeneration({ settings: { limits: { ...DEFAULT_LIMITS, maxAliases: 31 } } });
    expect(generation.prepare(TOO_MANY_ALIASES).text).toBe(TOO_MANY_ALIASES);
  });

  it('reject a single-use field that is selected twice, directly or by fragments', () => {
    const generation = newGeneration({ settings: { limits: { ...DEFAULT_LIMITS, singleUse: ['Mutation.rename', 'Query.me'] } } });
    const rename = (alias: string) => `${alias}: rename(id: 1, name: "x") { id }`;
    for (const text of [
      `mutation { ${rename('a')} ${rename('b')} }`,
      `mutation { ...A ... { ...A } } fragment A on Mutation { ${rename('a')} }`,
      `query Q { me { id } } query R { me { id } m: me { id } }`,
    ]) {
      expect(errorsOf(() => generation.prepare(text))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
    }
    generation.prepare(`mutation Once { ${rename('a')} }`);
    generation.prepare('query Q { me { id } } query R { me { id } }');
  });

  describe('one measured limit among enforced limits', () => {
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
    ] as const)('serves a document beyond %s when measured, and rejects it when enforced', (limit, limits, text) => {
      expect(generationWith({ ...limits, modes: { [limit]: 'measure' } }).prepare(text).text).toBe(text);
      expect(errorsOf(() => generationWith({ ...limits, mode: 'measure', modes: { [limit]: 'enforce' } }).prepare(text))).toHaveLength(2);
    });

    it('serves a document beyond the token limit when measured', () => {
      const settings = { maxTokens: 3 };
      expect(generationWith({ modes: { tokens: 'measure' } }, settings).prepare(TWO_LEVELS).text).toBe(TWO_LEVELS);
      expect(errorsOf(() => generationWith({}, settings).prepare(TWO_LEVELS))[0]).toBe('TOKEN_LIMIT_EXCEEDED');
    });

    it('rejects a document that exceeds an enforced limit too', () => {
      const generation = generationWith({ maxDepth: 1, modes: { depth: 'measure' } });
      expect(errorsOf(() => generation.prepare(TOO_MANY_ALIASES))[0]).toBe('ALIAS_LIMIT_EXCEEDED');
    });
  });

  describe('measured limits', () => {
    const limits = { ...DEFAULT_LIMITS, mode: 'measure' } as const;

    it('serve a document beyond them, and log it once without its text', () => {
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

    it('log nothing for a document that is invalid or within the limits', () => {
      const logged: unknown[] = [];
      const generation = newGeneration({
        settings: { limits },
        logger: { ...silentLogger, warn: (facts: unknown) => void logged.push(facts) },
      });
      expect(errorsOf(() => generation.prepare(TOO_MANY_ALIASES.replace('me', 'nobody')))[0]).toBe('GRAPHQL_VALIDATION_FAILED');
      generation.prepare('{ me { name } }');
      expect(logged).toEqual([]);
    });
  });
});
