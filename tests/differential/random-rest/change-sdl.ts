import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type InterfaceTypeDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  type TypeNode,
  visit,
} from 'graphql';
import { readFacts, type SubgraphFacts, type SubgraphText } from '../random-federation/read-facts.ts';
import type { LookUpField } from './look-ups.ts';
import { namedIn } from './rest-value.ts';

export interface Coordinate {
  readonly type: string;
  readonly field: string;
}

type FieldOwner = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

/** Removes the arguments of a field, and of the same field of related interfaces and object types, from all subgraphs. */
export function withoutArguments(subgraphs: readonly SubgraphText[], at: Coordinate): readonly SubgraphText[] {
  const changed = changeFields(subgraphs, at, (field) => ({ ...field, arguments: [] }));
  return changed.map((subgraph) =>
    changeFieldSets(subgraph, (text) => text.replaceAll(new RegExp(`\\b${at.field}\\([^)]*\\)`, 'g'), at.field)),
  );
}

/** Removes the arguments in the `@requires` of a field. Returns undefined if one of them is needed. */
export function withoutSelectedArguments(
  subgraphs: readonly SubgraphText[],
  name: string,
  at: Coordinate,
): readonly SubgraphText[] | undefined {
  let isNeeded = false;
  const changed = subgraphs.map((subgraph) => {
    if (subgraph.name !== name) return subgraph;
    const document = visitFields(parse(subgraph.sdl, { noLocation: true }), (type, field) => {
      if (type !== at.type || field.name.value !== at.field) return field;
      const directives = (field.directives ?? []).map((directive) => {
        if (directive.name.value !== 'requires') return directive;
        return changeText(directive, (text) => {
          isNeeded ||= text.includes('(n: ');
          return text.replaceAll(/\([^)]*\)/g, '');
        });
      });
      return { ...field, directives };
    });
    return { name, sdl: print(document) };
  });
  return isNeeded ? undefined : changed;
}

/** Whether a field set of any subgraph selects inside of a field, or of the same field of related interfaces and object types. */
export function isSelectedInside(subgraphs: readonly SubgraphText[], at: Coordinate): boolean {
  const facts = subgraphs.map(readFacts);
  const related = relatedTypes(facts, at);
  return facts.some(({ types }) => {
    const visits = (type: string, set: SelectionSetNode | undefined): boolean => {
      return (set?.selections ?? []).some((selection) => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) return false;
        if (selection.kind === Kind.INLINE_FRAGMENT) return visits(selection.typeCondition?.name.value ?? type, selection.selectionSet);
        if (selection.selectionSet === undefined) return false;
        const name = selection.name.value;
        if (name === at.field && related.has(type)) return true;
        const field = types.get(type)?.fields.get(name);
        return field !== undefined && visits(namedIn(field.type), selection.selectionSet);
      });
    };
    return [...types.values()].some(({ name, keys, fields }) => {
      const sets = [...fields.values()].some(({ type, requires, provides }) => visits(name, requires) || visits(namedIn(type), provides));
      return sets || keys.some((key) => visits(name, key.fields));
    });
  });
}

/** Removes external fields that no field set of their subgraph mentions any more. Fields of interfaces remain. */
export function withoutUnusedExternals(subgraph: SubgraphText): SubgraphText {
  const { types } = readFacts(subgraph);
  const used = new Set<string>();
  const visitSet = (type: string, set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visitSet(selection.typeCondition?.name.value ?? type, selection.selectionSet);
        continue;
      }
      const name = selection.name.value;
      used.add(`${type}.${name}`);
      // A field of an interface is the field of each object type.
      for (const other of types.values()) if (other.interfaces.includes(type)) used.add(`${other.name}.${name}`);
      const field = types.get(type)?.fields.get(name);
      if (field !== undefined) visitSet(namedIn(field.type), selection.selectionSet);
    }
  };
  for (const { name, keys, fields } of types.values()) {
    for (const key of keys) visitSet(name, key.fields);
    for (const { type, requires, provides } of fields.values()) {
      visitSet(name, requires);
      visitSet(namedIn(type), provides);
    }
  }
  const isUnused = (type: string, field: FieldDefinitionNode): boolean => {
    const name = field.name.value;
    if (!(field.directives ?? []).some((directive) => directive.name.value === 'external') || used.has(`${type}.${name}`)) return false;
    return !(types.get(type)?.interfaces ?? []).some((implemented) => types.get(implemented)?.fields.has(name) === true);
  };
  const change = (node: FieldOwner): FieldOwner => ({
    ...node,
    fields: (node.fields ?? []).filter((field) => !isUnused(node.name.value, field)),
  });
  const document: DocumentNode = visit(parse(subgraph.sdl, { noLocation: true }), { ObjectTypeDefinition: change });
  return { name: subgraph.name, sdl: print(document) };
}

/** Makes a field a string, or a list of strings, in all subgraphs, with the same field of related interfaces and object types. */
export function retype(subgraphs: readonly SubgraphText[], at: Coordinate): readonly SubgraphText[] {
  return changeFields(subgraphs, at, (field) => ({
    ...field,
    type: toString(field.type),
    directives: (field.directives ?? []).filter(({ name }) => name.value !== 'provides'),
  }));
}

function toString(type: TypeNode): TypeNode {
  if (type.kind === Kind.NAMED_TYPE) return { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'String' } };
  if (type.kind === Kind.LIST_TYPE) return { kind: Kind.LIST_TYPE, type: toString(type.type) };
  const inner = toString(type.type);
  return inner.kind === Kind.NON_NULL_TYPE ? inner : { kind: Kind.NON_NULL_TYPE, type: inner };
}

/** Makes the fields of a type external that field sets of a subgraph mention, and removes all others. Removes a type without fields. */
export function leaveToOthers(subgraphs: readonly SubgraphText[], name: string, type: string): readonly SubgraphText[] {
  return subgraphs.map((subgraph) => {
    if (subgraph.name !== name) return subgraph;
    const mentioned = new Set<string>();
    changeFieldSets(subgraph, (text) => {
      for (const [word] of text.matchAll(/\w+/g)) mentioned.add(word);
      return text;
    });
    const document = parse(subgraph.sdl, { noLocation: true });
    const isReferenced = new RegExp(`\\b${type}\\b`).test(
      document.definitions
        .filter((definition) => !('name' in definition) || definition.name?.value !== type)
        .map(print)
        .join('\n'),
    );
    const definitions = document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || definition.name.value !== type) return [definition];
      const fields = (definition.fields ?? []).flatMap((field) => (mentioned.has(field.name.value) ? [asExternal(field)] : []));
      if (!isReferenced || fields.length === 0) return [];
      return [
        { ...definition, fields, directives: (definition.directives ?? []).filter((directive) => directive.name.value !== 'shareable') },
      ];
    });
    return { name, sdl: print({ ...document, definitions }) };
  });
}

function asExternal(field: FieldDefinitionNode): FieldDefinitionNode {
  return { ...field, directives: [directiveOf('@external')] };
}

/** Parses one directive. */
export function directiveOf(text: string): ConstDirectiveNode {
  const [definition] = parse(`scalar S ${text}`, { noLocation: true }).definitions;
  const directive = definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? definition.directives?.[0] : undefined;
  if (directive === undefined) throw new Error(`The text is not a directive: ${text}`);
  return directive;
}

/** Adds root fields that find entities. */
export function addLookUps({ name, sdl }: SubgraphText, lookUps: readonly LookUpField[]): SubgraphText {
  if (lookUps.length === 0) return { name, sdl };
  const fields = lookUps.map((lookUp) => `${lookUp.name}${lookUp.args}: ${lookUp.type}`).join('\n');
  const added = parse(`type Query {\n${fields}\n}\n${lookUps.flatMap(({ definitions }) => definitions).join('\n')}`, { noLocation: true });
  const document = parse(sdl, { noLocation: true });
  const [query, ...inputs] = added.definitions;
  const own = document.definitions.find(
    (definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Query',
  );
  const merged = document.definitions.map((definition) => {
    if (definition !== own || definition.kind !== Kind.OBJECT_TYPE_DEFINITION || query?.kind !== Kind.OBJECT_TYPE_DEFINITION)
      return definition;
    return { ...definition, fields: [...(definition.fields ?? []), ...(query.fields ?? [])] };
  });
  const definitions = [...merged, ...(own === undefined && query !== undefined ? [query] : []), ...inputs];
  return { name, sdl: print({ ...document, definitions }) };
}

/** Changes a field and the fields that must be equal to it: those of the interfaces and object types that are related to its type. */
function changeFields(
  subgraphs: readonly SubgraphText[],
  { type, field: fieldName }: Coordinate,
  change: (field: FieldDefinitionNode) => FieldDefinitionNode,
): readonly SubgraphText[] {
  const related = relatedTypes(subgraphs.map(readFacts), { type, field: fieldName });
  return subgraphs.map(({ name, sdl }) => {
    const document = visitFields(parse(sdl, { noLocation: true }), (owner, field) => {
      return related.has(owner) && field.name.value === fieldName ? change(field) : field;
    });
    return { name, sdl: print(document) };
  });
}

/** Returns a type with the interfaces and object types whose field must be equal. */
function relatedTypes(facts: readonly SubgraphFacts[], { type, field }: Coordinate): ReadonlySet<string> {
  const related = new Set([type]);
  for (let size = 0; size !== related.size; ) {
    size = related.size;
    for (const { types } of facts) {
      for (const { name, interfaces, fields } of types.values()) {
        if (!fields.has(field)) continue;
        if (related.has(name)) for (const implemented of interfaces) related.add(implemented);
        else if (interfaces.some((implemented) => related.has(implemented))) related.add(name);
      }
    }
  }
  return related;
}

function visitFields(document: DocumentNode, change: (type: string, field: FieldDefinitionNode) => FieldDefinitionNode): DocumentNode {
  const changeOwner = (node: FieldOwner): FieldOwner => ({
    ...node,
    fields: (node.fields ?? []).map((field) => change(node.name.value, field)),
  });
  return visit(document, { ObjectTypeDefinition: changeOwner, InterfaceTypeDefinition: changeOwner });
}

/** Changes the text of each argument `fields`. */
function changeFieldSets({ name, sdl }: SubgraphText, change: (text: string) => string): SubgraphText {
  const document: DocumentNode = visit(parse(sdl, { noLocation: true }), {
    Directive: (node) => changeText(node as ConstDirectiveNode, change),
  });
  return { name, sdl: print(document) };
}

function changeText(directive: ConstDirectiveNode, change: (text: string) => string): ConstDirectiveNode {
  return {
    ...directive,
    arguments: (directive.arguments ?? []).map((argument) => {
      const { value } = argument;
      if (argument.name.value !== 'fields' || value.kind !== Kind.STRING) return argument;
      return Object.assign({}, argument, { value: Object.assign({}, value, { value: change(value.value) }) });
    }),
  };
}
