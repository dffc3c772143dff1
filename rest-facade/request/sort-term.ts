import type { SortBinding, SortTerm } from '../mapping/bindings.ts';
import type { Faults } from './faults.ts';

/** One key, descending after a minus; undefined where it is not allowed. */
export function readSortTerm(text: string, keys: ReadonlyMap<string, string>): SortTerm | undefined {
  const isDescending = text.startsWith('-');
  const field = keys.get(isDescending ? text.slice(1) : text);
  return field === undefined ? undefined : { field, direction: isDescending ? 'DESC' : 'ASC' };
}

/** The same order, made total: no item may stand on two pages. */
export function withTieBreaker(terms: readonly SortTerm[], tieBreaker: string | undefined): readonly SortTerm[] {
  if (tieBreaker === undefined || terms.length === 0 || terms.some(({ field }) => field === tieBreaker)) return terms;
  return [...terms, { field: tieBreaker, direction: 'ASC' }];
}

/** The parameter `sort`: keys by commas, as many as there are. A key that is named again orders nothing that it has not ordered already. */
export function readSort(text: string, { keys, tieBreaker }: SortBinding, faults: Faults): readonly SortTerm[] {
  const terms: SortTerm[] = [];
  const parts = text.split(',', keys.size + 1);
  if (parts.length > keys.size) {
    faults.add('INVALID_PARAMETER', 'sort', `names more than ${keys.size} keys`);
    return [];
  }
  for (const part of parts) {
    const term = readSortTerm(part, keys);
    if (term === undefined) {
      faults.add(
        'INVALID_PARAMETER',
        'sort',
        `names keys by commas, with a minus before one to descend; the keys are ${[...keys.keys()].join(', ')}`,
      );
      return [];
    }
    if (terms.every(({ field }) => field !== term.field)) terms.push(term);
  }
  return withTieBreaker(terms, tieBreaker);
}
