import { type DocumentNode, Kind, type SelectionSetNode, visit } from 'graphql';
import type { DefinitionOutline, DocumentOutline, SpreadOutline } from '../../../../gateway/operation/limits/outline-selections.ts';

type Definition = { -readonly [Key in keyof DefinitionOutline]: DefinitionOutline[Key] } & {
  readonly spreads: SpreadOutline[];
  readonly watchedFields: string[];
};

/**
 * Computes the outline of a document from its tree. It has no tokens, no comments and no position of the most directives, because several
 * positions can have the maximum.
 */
export function outlineOfTree(
  document: DocumentNode,
  watched: readonly string[],
): Omit<DocumentOutline, 'tokens' | 'comments' | 'blockLines' | 'fullestPosition'> {
  const operations: Definition[] = [];
  const fragments = new Map<string, Definition>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const outline = emptyOutline(definition.operation, definition.name?.value ?? '', definition.loc?.start ?? 0);
      walk(outline, definition.selectionSet, [], watched);
      operations.push(outline);
    } else if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      const outline = emptyOutline(undefined, definition.name.value, definition.loc?.start ?? 0);
      walk(outline, definition.selectionSet, [], watched);
      fragments.set(outline.name, outline);
    }
  }
  const counts: number[] = [];
  visit(document, { enter: (node) => void ('directives' in node && counts.push(node.directives?.length ?? 0)) });
  return {
    operations,
    fragments,
    directives: counts.reduce((sum, count) => sum + count, 0),
    mostDirectives: Math.max(0, ...counts),
    isCut: false,
  };
}

function emptyOutline(operation: DefinitionOutline['operation'], name: string, start: number): Definition {
  const counts = { dataDepth: 0, dataAliases: 0, dataSelections: 0, wholeDepth: 0, rootFields: 0 };
  const introspection = { introspectionDepth: 0, introspectionAliases: 0, introspectionSelections: 0 };
  return { operation, name, start, ...counts, ...introspection, spreads: [], watchedFields: [] };
}

/** @param above fields that contain the selection set, starting at the root */
function walk(outline: Definition, { selections }: SelectionSetNode, above: readonly string[], watched: readonly string[]): void {
  const at = (names: readonly string[]): number => names.findIndex((name) => name === '__schema' || name === '__type');
  const dataLevels = (names: readonly string[]): number => (at(names) === -1 ? names.length : at(names));
  for (const selection of selections) {
    const path = selection.kind === Kind.FIELD ? [...above, selection.name.value] : above;
    const isIntrospection = at(path) !== -1;
    outline[isIntrospection ? 'introspectionSelections' : 'dataSelections'] += 1;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const levels = dataLevels(above);
      outline.spreads.push({ name: selection.name.value, dataDepth: levels, introspectionDepth: above.length - levels });
      continue;
    }
    if (selection.kind === Kind.FIELD) {
      if (selection.alias !== undefined) outline[isIntrospection ? 'introspectionAliases' : 'dataAliases'] += 1;
      if (isIntrospection) outline.introspectionDepth = Math.max(outline.introspectionDepth, path.length - dataLevels(path));
      else outline.dataDepth = Math.max(outline.dataDepth, path.length);
      outline.wholeDepth = Math.max(outline.wholeDepth, path.length);
      if (!isIntrospection && above.length === 0) {
        outline.rootFields += 1;
        if (watched.includes(selection.name.value)) outline.watchedFields.push(selection.name.value);
      }
    }
    if (selection.selectionSet !== undefined) walk(outline, selection.selectionSet, path, watched);
  }
}
