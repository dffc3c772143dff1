import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode as FieldOrFragment,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { compileSelection } from '../connectors/selection/compile-selection.ts';
import type { CompiledMapping } from '../connectors/selection/compiled-mapping.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import { type CoerceArguments, compileArguments } from './coerce-arguments.ts';
import { collectOutputFields, type OutputContext, selectionsOf } from './output-fields.ts';
import { compileOutputObject, compileOutput, type SelectObject, type SelectOutput } from './select-output.ts';
import type { ValueTypes } from './value-types.ts';
import { addKey, wantedOutput } from './wanted-output.ts';

type Values = Readonly<Record<string, unknown>>;

/** An operation of a plan, compiled for one connector. */
export interface ConnectorOperation {
  /** Defaults of variables, which apply where the request has no value. Undefined if no variable has one. */
  readonly defaults: Values | undefined;
  /** Calls of the connector at the root. */
  readonly roots: readonly ConnectorCall[];
  /** Fields `_entities`. */
  readonly entities: readonly EntitiesField[];
  /** Response keys of `__typename` at the root, with the name of the root type. */
  readonly typenames: ReadonlyMap<string, string>;
}

/** A call of a connector for one response key. */
export interface ConnectorCall {
  readonly key: string;
  readonly argumentsOf: CoerceArguments;
  readonly map: CompiledMapping;
  /** Selects from a mapped value, of which objects can become objects of the result. */
  readonly select: SelectOutput;
  /** Selects from a mapped value without sharing objects with it. */
  readonly copy: SelectOutput;
}

/** A field `_entities` of an operation. */
export interface EntitiesField {
  readonly key: string;
  /** Returns the representations from the variables of the request. */
  readonly representationsOf: (variables: Values) => readonly unknown[];
  /** Returns what is selected of an entity of this type. */
  selectionOf(type: string): EntitySelection;
}

/** Selections of one entity. */
export interface EntitySelection {
  /** Requested fields without `__typename` and without fields of the key, by response key. */
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly name: string }>;
  /** Calls of a connector on a field, whose results are values of fields. Empty if the connector resolves whole entities. */
  readonly calls: readonly ConnectorCall[];
  /** Maps the response of a connector that resolves whole entities. */
  readonly map: CompiledMapping;
  /** Selects the other fields. Objects of the mapped value can become objects of the result. */
  readonly select: SelectObject;
  /** Selects the other fields without sharing objects with the mapped value. */
  readonly copy: SelectObject;
}

/** Compiles operations of plans. Each text is compiled once. */
export type CompileConnectorOperation = (query: string, variables: Values) => ConnectorOperation;

/** Maximum number of cached operations of one connector. */
const MAX_OPERATIONS = 500;

/** Maximum memory of the cached operations of one connector. @unit bytes */
const MAX_BYTES = 4_000_000;

/** Estimated memory of a compiled operation. @unit bytes per character */
const BYTES_PER_CHARACTER = 20;

/** Creates the compiler of the operations of one connector. */
export function createConnectorCompiler(virtual: VirtualSubgraph, types: ValueTypes): CompileConnectorOperation {
  const known = new LRUCache<string, CompiledText>({
    max: MAX_OPERATIONS,
    maxSize: MAX_BYTES,
    sizeCalculation: (_compiled, text) => 1_000 + BYTES_PER_CHARACTER * text.length,
  });
  return (query, variables) => {
    let compiled = known.get(query);
    if (compiled === undefined) known.set(query, (compiled = compileText(query, virtual, types)));
    return compiled(variables);
  };
}

type CompiledText = (variables: Values) => ConnectorOperation;

/** Plans have no conditions. If a text has some, it is compiled for each request, because its values select other fields. */
function compileText(query: string, virtual: VirtualSubgraph, types: ValueTypes): CompiledText {
  const document = parse(query, { noLocation: true });
  const compiler = new OperationCompiler(document, virtual, types);
  if (/@(?:skip|include)\b/.test(query)) return (variables) => compiler.compile(variables);
  const compiled = compiler.compile({});
  return () => compiled;
}

class OperationCompiler {
  readonly #operation: OperationDefinitionNode;
  readonly #defaults: Values | undefined;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #virtual: VirtualSubgraph;
  readonly #types: ValueTypes;

  constructor({ definitions }: DocumentNode, virtual: VirtualSubgraph, types: ValueTypes) {
    const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (operation === undefined) throw new Error(`A request to the connector ${virtual.name} has no operation.`);
    this.#operation = operation;
    const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
    );
    this.#defaults = defaults.length === 0 ? undefined : Object.fromEntries(defaults);
    this.#fragments = new Map(
      definitions.flatMap((definition) => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [])),
    );
    this.#virtual = virtual;
    this.#types = types;
  }

  compile(variables: Values): ConnectorOperation {
    const context: OutputContext = {
      types: this.#types,
      fragments: this.#fragments,
      applies: (node) => isIncluded(node, variables),
    };
    const { selectionSet } = this.#operation;
    const { type } = this.#virtual.connector;
    const roots: ConnectorCall[] = [];
    const entities: EntitiesField[] = [];
    const typenames = new Map<string, string>();
    for (const [key, nodes] of collectOutputFields(selectionSet.selections, type, context)) {
      const name = nodes[0].name.value;
      if (name === '_entities') entities.push(this.#compileEntities(key, nodes, context));
      else if (name === '__typename') typenames.set(key, type);
      else roots.push(this.#compileCall(key, nodes, type, context));
    }
    return { defaults: this.#defaults, roots, entities, typenames };
  }

  #compileCall(key: string, nodes: readonly [FieldNode, ...FieldNode[]], type: string, context: OutputContext): ConnectorCall {
    const { name, arguments: given = [] } = nodes[0];
    const { selection: mapping } = this.#virtual.connector;
    const position = { selections: selectionsOf(nodes), type: this.#types.fieldType(type, name.value) };
    const isLeaf = position.selections.length === 0;
    return {
      key,
      argumentsOf: compileArguments(given, this.#types.argumentsOf(type, name.value), this.#types),
      map: compileSelection(mapping, isLeaf ? undefined : wantedOutput(position.selections, context)),
      select: compileOutput({ ...position, mapping }, context),
      copy: compileOutput(position, context),
    };
  }

  #compileEntities(key: string, nodes: readonly [FieldNode, ...FieldNode[]], context: OutputContext): EntitiesField {
    const representations = nodes[0].arguments?.find(({ name }) => name.value === 'representations')?.value;
    const variable = representations?.kind === Kind.VARIABLE ? representations.name.value : undefined;
    const selections = selectionsOf(nodes);
    const known = new Map<string, EntitySelection>();
    return {
      key,
      representationsOf: (variables) => {
        const given = variable === undefined ? undefined : variables[variable];
        return Array.isArray(given) ? given : [];
      },
      selectionOf: (type) => {
        let selection = known.get(type);
        if (selection === undefined) known.set(type, (selection = this.#compileEntity(type, selections, context)));
        return selection;
      },
    };
  }

  #compileEntity(type: string, selections: readonly FieldOrFragment[], context: OutputContext): EntitySelection {
    const { connector, keys } = this.#virtual;
    const { field, selection: mapping } = connector;
    const calls: ConnectorCall[] = [];
    const own: FieldOrFragment[] = [];
    const fields = new Map<string, { readonly type: string; readonly name: string }>();
    const inKeys = new Set(keys.flatMap((key) => key.selections.flatMap((node) => (node.kind === Kind.FIELD ? [node.name.value] : []))));
    // The type of an object that enters as an interface is known only after its response was mapped.
    const isAbstract = connector.isEntity && this.#types.isAbstract(type);
    if (isAbstract) own.push(...selections);
    for (const [key, nodes] of collectOutputFields(selections, type, context)) {
      const name = nodes[0].name.value;
      if (name !== '__typename' && !inKeys.has(name)) fields.set(key, { type, name });
      if (isAbstract) continue;
      if (!connector.isEntity && name === field) calls.push(this.#compileCall(key, nodes, type, context));
      else own.push(...nodes);
    }
    const wanted = wantedOutput(own, context);
    for (const key of keys) addKey(wanted, key);
    const position = { selections: own, type };
    // The objects of a key have more fields than the operation selects.
    const hasObjects = keys.some((key) => key.selections.some((node) => node.kind === Kind.FIELD && node.selectionSet !== undefined));
    return {
      fields,
      calls,
      map: compileSelection(mapping, wanted),
      select: compileOutputObject(hasObjects ? position : { ...position, mapping }, context),
      copy: compileOutputObject(position, context),
    };
  }
}

function isIncluded(node: FieldOrFragment, variables: Values): boolean {
  if ((node.directives ?? []).length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}
