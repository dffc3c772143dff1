import { describe, expect, it } from '@jest/globals';
import { findBookProblems, isSameBook, readBookPatch } from '../../../../subgraphs/catalogue/book-content.ts';

const fieldsOf = (problems: readonly { readonly field: string }[]): readonly string[] => problems.map(({ field }) => field);

describe('the content of a book', () => {
  it.each([
    ['an empty title', { title: '' }, 'input.title'],
    ['a title of white space', { title: ' \t' }, 'input.title'],
    ['a title one character too long', { title: 'a'.repeat(201) }, 'input.title'],
    ['a title with a NUL', { title: 'a\u0000b' }, 'input.title'],
    ['a title with half a surrogate pair', { title: 'a\ud800' }, 'input.title'],
    ['an author one character too long', { author: 'a'.repeat(101) }, 'input.author'],
    ['a negative price', { price: -0.01 }, 'input.price'],
    ['a price above the limit', { price: 100_000.01 }, 'input.price'],
    ['a price with three decimals', { price: 1.005 }, 'input.price'],
  ])('rejects %s and names the field', (_, content, field) => {
    expect(fieldsOf(findBookProblems(content, 'input'))).toEqual([field]);
  });

  it('accepts the longest texts of characters outside the BMP, and every price in cents', () => {
    expect(findBookProblems({ title: '📚'.repeat(200), author: '🖋'.repeat(100) }, 'input')).toEqual([]);
    const cents = Array.from({ length: 20_000 }, (_, index) => index * 500 + 29);
    expect(cents.filter((cent) => findBookProblems({ price: cent / 100 }, 'input').length > 0)).toEqual([]);
  });
});

describe('a patch of a book', () => {
  it('rejects null for each non-null field and reads the other fields', () => {
    const { changes, problems } = readBookPatch({ title: null, price: null, author: 'Ada Byron' });
    expect(fieldsOf(problems)).toEqual(['patch.title', 'patch.price']);
    expect(changes).toEqual({ author: 'Ada Byron' });
  });

  it('names an out-of-range field by its path in the patch', () => {
    expect(fieldsOf(readBookPatch({ price: -1 }).problems)).toEqual(['patch.price']);
  });

  it('does not change absent fields', () => {
    expect(readBookPatch({ inStock: false }).changes).toEqual({ inStock: false });
  });

  it('two books are the same only when all their fields are equal', () => {
    const book = { title: 'T', author: 'A', price: 1.5, inStock: true };
    expect(isSameBook(book, { ...book })).toBe(true);
    expect(isSameBook(book, { ...book, inStock: false })).toBe(false);
  });
});
