import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { useOf, usesOf } from '../../compile/documents/directives.ts';
import type { Fragments } from '../../compile/documents/selections.ts';
import type { LinkUse } from '../../compile/links/link.ts';
import { LINKS_MEMBER } from '../../response/shape-resource.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { described, enumSchema, INTEGER_ID, leafSchema, orNull } from './leaf-schema.ts';
import { leadsSomewhere, linksSchema } from './links-schema.ts';

/** The input for schemas of responses. */
export interface ResultContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly components: Components;
  /** Whether objects show their links. @defaultValue false */
  readonly hasLinks?: boolean;
  /** Whether the response may contain only a part of the selection, as with `fields`. @defaultValue false */
  readonly isNarrowed?: boolean;
}

/** Selections of an object. A field that is selected several times has the selections of all its nodes. */
export interface Shown {
  readonly selections: readonly SelectionNode[];
  /** Links that the documents declare for the object. */
  readonly links?: readonly LinkUse[];
}

/**
 * Returns the schema of a selection. A selection that consists of one spread becomes the component of the fragment; every other selection
 * is written inline. Non-null fields are required. Nullable fields may be omitted, because callers without permission do not get them.
 */
export function resultSchema({ selections, links = [] }: Shown, type: GraphQLCompositeType, context: ResultContext): JsonSchema {
  const { schema, components, fragments } = context;
  if (isObjectType(type)) return objectSchema({ selections, links }, type, context);
  const spread = links.length === 0 ? soleSpread(selections, fragments) : undefined;
  if (spread !== undefined) return fragmentSchema(spread, context);
  const schemas = schema.getPossibleTypes(type).map((possible) => objectSchema({ selections, links }, possible, context));
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  const [only, ...others] = different;
  if (only === undefined || others.length === 0) return only ?? { type: 'object' };
  if (!selectsTypename(selections, fragments)) return { anyOf: different };
  // Without `__typename`, an object can match several types.
  if (context.isNarrowed === true) return { anyOf: different };
  return components.refer(`union ${type.name} ${JSON.stringify(different)}`, type.name, () => ({ oneOf: different }));
}

function objectSchema({ selections, links = [] }: Shown, type: GraphQLObjectType, context: ResultContext): JsonSchema {
  const applicable = selections.filter((selection) => appliesTo(selection, type, context));
  const spread = links.length === 0 ? soleSpread(applicable, context.fragments) : undefined;
  if (spread !== undefined && spread.typeCondition.name.value === type.name) return fragmentSchema(spread, context);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, { nodes, isCertain }] of collectFields(applicable, type, context)) {
    const [node] = nodes;
    const fieldType = node?.name.value === '__typename' ? undefined : type.getFields()[node?.name.value ?? ''];
    properties[name] = fieldType === undefined ? { type: 'string', const: type.name } : fieldSchema(nodes, fieldType, context);
    const isShown = isCertain && context.isNarrowed !== true;
    if (isShown && (fieldType === undefined || isNonNullType(fieldType.type))) required.push(name);
  }
  const shown = context.hasLinks === true ? [...links, ...fragmentLinks(applicable, type, context)] : [];
  if (shown.length > 0) properties[LINKS_MEMBER] = linksSchema(shown);
  return { type: 'object', ...described(type.description), properties, ...(required.length === 0 ? {} : { required }) };
}

/** Refers to the component of a fragment, which has the name of the fragment. */
function fragmentSchema(fragment: FragmentDefinitionNode, context: ResultContext): JsonSchema {
  const { name, selectionSet, typeCondition } = fragment;
  const hasLinks = context.hasLinks === true && leadsSomewhere(fragment, context.fragments);
  const suffix = `${context.isNarrowed === true ? 'Selection' : ''}${hasLinks ? 'WithLinks' : ''}`;
  return context.components.refer(`fragment ${name.value} ${suffix}`, `${name.value}${suffix}`, () => {
    const type = context.schema.getType(typeCondition.name.value);
    const shown = { ...selectionSet, links: usesOf(fragment, 'link') };
    const schema = isCompositeType(type) ? resultSchema(shown, type, { ...context, hasLinks }) : {};
    return context.isNarrowed === true ? { ...schema, description: 'The fields that are named in `fields`.' } : schema;
  });
}

/** Returns the links of the fragments of an object. Links of its fields belong to the nested objects. */
function fragmentLinks(selections: readonly SelectionNode[], type: GraphQLObjectType, context: ResultContext): readonly LinkUse[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD || !appliesTo(selection, type, context)) return [];
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? context.fragments.get(selection.name.value) : undefined;
    const own = fragment === undefined ? [] : usesOf(fragment, 'link');
    return [...own, ...fragmentLinks(selectionsOf(selection, context.fragments), type, context)];
  });
}

interface CollectedField {
  readonly nodes: readonly FieldNode[];
  /** Whether the field is present in every response. */
  readonly isCertain: boolean;
}

/** Collects the shown fields of an object type by response name, through all fragments. */
function collectFields(
  shown: readonly SelectionNode[],
  type: GraphQLObjectType,
  context: ResultContext,
): ReadonlyMap<string, CollectedField> {
  const fields = new Map<string, CollectedField>();
  const collect = (selections: readonly SelectionNode[], isCertainHere: boolean): void => {
    for (const selection of selections) {
      const isCertain = isCertainHere && !isConditional(selection) && !hasDirective(selection, 'optIn');
      if (selection.kind !== Kind.FIELD) {
        if (appliesTo(selection, type, context)) collect(selectionsOf(selection, context.fragments), isCertain);
        continue;
      }
      if (hasDirective(selection, 'internal')) continue;
      const name = selection.alias?.value ?? selection.name.value;
      const known = fields.get(name);
      fields.set(name, { nodes: [...(known?.nodes ?? []), selection], isCertain: isCertain || known?.isCertain === true });
    }
  };
  collect(shown, true);
  return fields;
}

function fieldSchema(
  nodes: readonly FieldNode[],
  field: {
    readonly type: GraphQLOutputType;
    readonly description?: string | null | undefined;
    readonly deprecationReason?: string | null | undefined;
  },
  context: ResultContext,
): JsonSchema {
  const schema = typeSchema(field.type, nodes, context);
  const notes = {
    ...(schema.$ref === undefined ? described(field.description) : {}),
    ...(typeof field.deprecationReason === 'string' ? { deprecated: true } : {}),
  };
  return { ...schema, ...notes };
}

function typeSchema(type: GraphQLOutputType, nodes: readonly FieldNode[], context: ResultContext): JsonSchema {
  if (isNonNullType(type)) return nullableSchema(type.ofType, nodes, context);
  if (isEnumType(type)) return orNull(enumSchema(type));
  return orNull(nullableSchema(type, nodes, context));
}

function nullableSchema(type: GraphQLOutputType, nodes: readonly FieldNode[], context: ResultContext): JsonSchema {
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, nodes, context) };
  const named = getNamedType(type);
  if (isLeafType(named)) {
    return nodes.some((node) => useOf(node, 'integer') !== undefined) ? INTEGER_ID : leafSchema(named, context.components);
  }
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const links = nodes.flatMap((node) => usesOf(node, 'link'));
  return isCompositeType(named) ? resultSchema({ selections, links: context.hasLinks === true ? links : [] }, named, context) : {};
}

/** Returns the fragment if its spread is the only selection. */
function soleSpread(selections: readonly SelectionNode[], fragments: Fragments): FragmentDefinitionNode | undefined {
  const [first, ...others] = selections;
  const isSole = first?.kind === Kind.FRAGMENT_SPREAD && others.length === 0 && !isConditional(first);
  return isSole ? fragments.get(first.name.value) : undefined;
}

/** Whether the selection includes `__typename`. */
function selectsTypename(selections: readonly SelectionNode[], fragments: Fragments): boolean {
  return selections.some((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value === '__typename' : selectsTypename(selectionsOf(selection, fragments), fragments),
  );
}

function selectionsOf(selection: Exclude<SelectionNode, FieldNode>, fragments: Fragments): readonly SelectionNode[] {
  return selection.kind === Kind.INLINE_FRAGMENT
    ? selection.selectionSet.selections
    : (fragments.get(selection.name.value)?.selectionSet.selections ?? []);
}

function appliesTo(selection: SelectionNode, type: GraphQLObjectType, { schema, fragments }: ResultContext): boolean {
  if (selection.kind === Kind.FIELD) return true;
  const condition = selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition : fragments.get(selection.name.value)?.typeCondition;
  if (condition === undefined || condition.name.value === type.name) return true;
  const abstract = schema.getType(condition.name.value);
  return isAbstractType(abstract) && schema.isSubType(abstract, type);
}

function isConditional(selection: SelectionNode): boolean {
  return hasDirective(selection, 'include') || hasDirective(selection, 'skip') || hasDirective(selection, 'optIn');
}

function hasDirective({ directives = [] }: SelectionNode, name: string): boolean {
  return directives.some((directive) => directive.name.value === name);
}
