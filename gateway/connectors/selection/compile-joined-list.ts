import type { Evaluate } from './mapping-run.ts';
import type { PathNode, SelectionNode } from './selection-node.ts';

/**
 * Compiles the start of a path that joins a list of the mapping, such as `$([day, "-", month])->joinNotNull("")`, without creating the list.
 * Mappings of dates consist of such paths. Problems are not recorded.
 *
 * @returns undefined for every other path
 */
export function compileJoinedList({ head, steps }: PathNode, compileItem: (item: SelectionNode) => Evaluate): Evaluate | undefined {
  const [step] = steps;
  if (head.kind !== 'expression' || head.value.kind !== 'list' || step?.kind !== 'method' || step.name !== 'joinNotNull') return undefined;
  const [separator, ...others] = step.args;
  if (separator?.kind !== 'literal' || typeof separator.value !== 'string' || others.length > 0) return undefined;
  const glue = separator.value;
  const parts = head.value.items.map((item) =>
    item.kind === 'literal' && typeof item.value === 'string' ? item.value : compileItem(item),
  );
  return (root, current, run) => {
    let text: string | undefined;
    for (const part of parts) {
      const value = typeof part === 'string' ? part : (part(root, current, run) ?? null);
      if (value === null) continue;
      if (typeof value === 'object') return undefined;
      const piece = typeof value === 'string' ? value : JSON.stringify(value);
      text = text === undefined ? piece : glue === '' ? text + piece : text + glue + piece;
    }
    return text ?? '';
  };
}
