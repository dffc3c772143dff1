import { describe, expect, it } from '@jest/globals';
import { describeSdlChanges } from '../../../../cli/dev/describe-sdl-changes.ts';

const BEFORE = `
  "A film."
  type Film @key(fields: "id") { id: ID! title(lang: String): String year: Int }
  union Hit = Film
  enum Genre { DRAMA COMEDY }
  interface Node { id: ID! }
  type Old { a: Int }`;

const describeChange = (before: string, after: string) =>
  describeSdlChanges([{ path: 'a.graphql', text: before }], [{ path: 'a.graphql', text: after }]);
const change = (from: string, to: string) => describeChange(BEFORE, BEFORE.replace(from, to));

describe('describeSdlChanges', () => {
  it.each([
    ['a new type', 'type Old', 'type New { b: Int } type Old', ['type New added']],
    ['a removed type', 'type Old { a: Int }', '', ['type Old removed']],
    ['a changed kind', 'type Old { a', 'input Old { a', ['Old changed from type to input']],
    ['a new field with arguments', 'year: Int', 'year: Int tagline(lang: String): String', ['field Film.tagline added']],
    ['a removed field with arguments', 'title(lang: String): String', '', ['field Film.title removed']],
    ['a changed type', 'year: Int', 'year: Int!', ['field Film.year changed from Int to Int!']],
    ['a new argument', '(lang: String)', '(lang: String, short: Boolean)', ['argument Film.title(short:) added']],
    ['a removed argument', '(lang: String)', '', ['argument Film.title(lang:) removed']],
    ['a changed default', '(lang: String)', '(lang: String = "en")', ['argument Film.title(lang:) changed from String to String = "en"']],
    ['a new value', 'DRAMA', 'WESTERN DRAMA', ['value Genre.WESTERN added']],
    ['a new member of a union', '= Film', '= Film | Old', ['member Old of Hit added']],
    ['a new interface', 'type Film @key', 'type Film implements Node @key', ['interface Node of Film added']],
    ['a changed directive', 'year: Int', 'year: Int @shareable', ['directives of Film.year changed: @shareable']],
    ['a removed directive of a type', ' @key(fields: "id")', '', ['directives of Film changed: none']],
    ['a changed description', 'A film.', 'A movie.', []],
    ['another order', 'DRAMA COMEDY', 'COMEDY DRAMA', []],
  ])('describes %s', (_name, from, to, changes) => {
    expect(change(from, to)).toEqual(changes);
  });

  it('compares extensions in several files with the types that they extend', () => {
    const one = [{ path: 'a.graphql', text: 'type Film { id: ID! title: String }' }];
    const two = [
      { path: 'a.graphql', text: 'type Film { id: ID! }' },
      { path: 'b.graphql', text: 'extend type Film { title: String year: Int }' },
    ];
    expect(describeSdlChanges(one, two)).toEqual(['field Film.year added']);
  });
});
