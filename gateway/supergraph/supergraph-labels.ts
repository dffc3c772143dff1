import { type DirectiveNode, type DocumentNode, Kind, parse } from 'graphql';

/** Labels of `@join__field(overrideLabel:)` in a supergraph. */
export interface SupergraphLabels {
  readonly all: readonly string[];
  /** Labels by `Type.field`. */
  readonly byField: ReadonlyMap<string, string>;
  /**
   * Labels of fields in keys, requirements and contexts. Such a field can be fetched for operations that do not select it, so its label
   * applies to every operation.
   */
  readonly everywhere: readonly string[];
}

const NO_LABELS: SupergraphLabels = { all: [], byField: new Map(), everywhere: [] };

/** Detects labels. Nearly all supergraphs have none and need not be searched for them. */
const USES_LABELS = /overrideLabel:\s*"/;

/** Reads the labels of a supergraph. @param document the parsed text, if it is available */
export function readOverrideLabels(sdl: string, document?: DocumentNode): SupergraphLabels {
  return USES_LABELS.test(sdl) ? labelsIn(document ?? parse(sdl, { noLocation: true })) : NO_LABELS;
}

function labelsIn({ definitions }: DocumentNode): SupergraphLabels {
  const byField = new Map<string, string>();
  const labeledNames = new Map<string, string[]>();
  const selected = new Set<string>();
  for (const definition of definitions) {
    if (!('directives' in definition)) continue;
    for (const directive of definition.directives ?? []) noteSelected(directive, selected);
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const { name, directives = [] } of definition.fields ?? []) {
      for (const directive of directives) {
        noteSelected(directive, selected);
        const label = directive.name.value === 'join__field' ? textOf(directive, 'overrideLabel') : undefined;
        if (label === undefined) continue;
        byField.set(`${definition.name.value}.${name.value}`, label);
        labeledNames.set(name.value, [...(labeledNames.get(name.value) ?? []), label]);
      }
    }
  }
  const all = [...new Set(byField.values())];
  const everywhere = [...labeledNames].filter(([name]) => selected.has(name)).flatMap(([, labels]) => labels);
  return { all, byField, everywhere };
}

/** Collects the field names in selections that the gateway adds itself. */
function noteSelected(directive: DirectiveNode, selected: Set<string>): void {
  if (!directive.name.value.startsWith('join__')) return;
  for (const name of ['key', 'requires']) {
    for (const word of textOf(directive, name)?.match(/\w+/g) ?? []) selected.add(word);
  }
  const contexts = directive.arguments?.find(({ name }) => name.value === 'contextArguments')?.value;
  if (contexts?.kind !== Kind.LIST) return;
  for (const context of contexts.values) {
    const selection = context.kind === Kind.OBJECT ? context.fields.find(({ name }) => name.value === 'selection')?.value : undefined;
    if (selection?.kind === Kind.STRING) for (const word of selection.value.match(/\w+/g) ?? []) selected.add(word);
  }
}

function textOf({ arguments: given = [] }: DirectiveNode, name: string): string | undefined {
  const value = given.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}
