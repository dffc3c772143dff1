import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Fields of a supergraph whose subgraph depends on a label of `@override`. */
export interface OverriddenFields {
  /** Returns the labels that the plan of an operation depends on, in the order of the supergraph. */
  labelsOf(document: DocumentNode): readonly string[];
}

const NO_LABELS: readonly string[] = [];

/** Detects labels. Nearly all supergraphs have none and need not be parsed for them. */
const USES_LABELS = /overrideLabel:\s*"/;

/**
 * Reads `@join__field(overrideLabel:)` of a supergraph.
 *
 * A field in a key, a requirement or a context can be fetched for operations that do not select it. Its label therefore applies to every
 * operation.
 *
 * @param schema Public schema that operations are valid against.
 */
export function readOverriddenFields(sdl: string, schema: GraphQLSchema): OverriddenFields {
  if (!USES_LABELS.test(sdl)) return { labelsOf: () => NO_LABELS };
  const { all, byField, everywhere } = readLabels(sdl);

  function labelOf(typeName: string, field: string): readonly (string | undefined)[] {
    const type = schema.getType(typeName);
    const own = byField.get(`${typeName}.${field}`);
    if (!isAbstractType(type)) return [own];
    return [own, ...schema.getPossibleTypes(type).map(({ name }) => byField.get(`${name}.${field}`))];
  }

  return {
    labelsOf(document) {
      const found = new Set<string | undefined>(everywhere);
      const typeInfo = new TypeInfo(schema);
      visit(
        document,
        visitWithTypeInfo(typeInfo, {
          Field({ name }) {
            const parent = typeInfo.getParentType();
            if (parent !== undefined && parent !== null) for (const label of labelOf(parent.name, name.value)) found.add(label);
          },
        }),
      );
      return all.filter((label) => found.has(label));
    },
  };
}

interface Labels {
  readonly all: readonly string[];
  /** Labels by `Type.field`. */
  readonly byField: ReadonlyMap<string, string>;
  readonly everywhere: readonly string[];
}

function readLabels(sdl: string): Labels {
  const byField = new Map<string, string>();
  const labeledNames = new Map<string, string[]>();
  const selected = new Set<string>();
  for (const definition of parse(sdl, { noLocation: true }).definitions) {
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
