import { type DirectiveNode, type DocumentNode, Kind, type SelectionNode, parse, print, visit } from 'graphql';
import type { Random } from '../support/random/random.ts';

/** Returns the same operation with `@defer` on some of its fragments, and with some of its fields in deferred fragments. */
export function sprinkleDefer(text: string, random: Random): string {
  let count = 0;
  const defer = (): DirectiveNode => {
    count += 1;
    const isOff = random.chance(0.1);
    return (parse(`{ ... @defer(label: "d${count}"${isOff ? ', if: false' : ''}) { x } }`).definitions[0] as never as Sample).selectionSet
      .selections[0].directives[0];
  };
  const marked: DocumentNode = visit(parse(text), {
    FragmentSpread: (node) => (random.chance(0.4) ? { ...node, directives: [...(node.directives ?? []), defer()] } : undefined),
    InlineFragment: (node) => (random.chance(0.4) ? { ...node, directives: [...(node.directives ?? []), defer()] } : undefined),
    SelectionSet: {
      leave(node) {
        const selections = node.selections.map((selection): SelectionNode => {
          if (selection.kind !== Kind.FIELD || !random.chance(0.15)) return selection;
          return { kind: Kind.INLINE_FRAGMENT, directives: [defer()], selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] } };
        });
        return { ...node, selections };
      },
    },
  });
  return print(marked);
}

interface Sample {
  readonly selectionSet: { readonly selections: readonly [{ readonly directives: readonly [DirectiveNode] }] };
}
