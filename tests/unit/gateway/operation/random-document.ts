import fc from 'fast-check';

/** A selection before its document is written. The fragment that a spread names depends on the position of the spread. */
interface Selection {
  readonly name: string;
  readonly alias: boolean;
  readonly target: number;
  readonly children: readonly Selection[];
}

const FRAGMENTS = 4;

const { set } = fc.letrec<{ set: Selection[]; selection: Selection }>((tie) => ({
  selection: fc.record({
    name: fc.constantFrom('a', 'b', 'c', '__typename', '__schema', '...', '... on T', 'spread', 'spread'),
    alias: fc.boolean(),
    target: fc.nat(FRAGMENTS),
    children: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constant([]), tie('set')),
  }),
  set: fc.array(tie('selection'), { minLength: 1, maxLength: 3 }),
}));

const definitions = fc.record({
  operations: fc.array(set, { minLength: 1, maxLength: 3 }),
  fragments: fc.array(set, { minLength: FRAGMENTS, maxLength: FRAGMENTS }),
});

/** Generates documents whose fragments spread only later fragments and unknown ones. */
export const properDocument = definitions.map((parts) => write(parts, (target, from) => from + 1 + target));

/** Generates documents whose fragments spread any fragment, including themselves. */
export const anyDocument = definitions.map((parts) => write(parts, (target) => target));

interface Parts {
  readonly operations: readonly (readonly Selection[])[];
  readonly fragments: readonly (readonly Selection[])[];
}

function write({ operations, fragments }: Parts, toFragment: (target: number, from: number) => number): string {
  const writeSet = (selections: readonly Selection[], from: number): string =>
    `{${selections.map((selection) => writeSelection(selection, from)).join(' ')}}`;
  const writeSelection = ({ name, alias, target, children }: Selection, from: number): string => {
    const index = toFragment(target, from);
    if (name === 'spread') return index < FRAGMENTS ? `...F${index}` : '...Unknown';
    const below = children.length === 0 ? '' : writeSet(children, from);
    if (name.startsWith('...')) return `${name}${below === '' ? '{a}' : below}`;
    return `${alias ? 'x:' : ''}${name}${name === '__typename' ? '' : below}`;
  };
  return [
    ...operations.map((selections, index) => `query Q${index}${writeSet(selections, -1)}`),
    ...fragments.map((selections, index) => `fragment F${index} on T${writeSet(selections, index)}`),
  ].join('\n');
}
