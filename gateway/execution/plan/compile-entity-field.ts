import type { RepresentationField, RepresentationPlan } from '../../planning/operation-plan.ts';
import { toDataKey } from '../data/own-properties.ts';
import { compactText } from '../data/print-json.ts';
import type {
  ResponsePlan,
  CompiledRepresentation,
  ContextVariable,
  EntityField,
  EntityWalk,
  PathStep,
  RepresentedField,
} from './compiled-plan.ts';
import { type SharedPathDraft, leadsThrough, type Sharing } from './find-shared-paths.ts';
import type { ResponseDraft } from './response-drafts.ts';

/** Compiles representation plans into JSON prefixes and data keys. */
function compileRepresentations(plans: readonly RepresentationPlan[]): readonly CompiledRepresentation[] {
  return plans.map(({ types, typename, fields }) => {
    const prefix = compactText(`{"__typename":${JSON.stringify(typename)}`);
    const [first, ...others] = fields;
    const isSingle = first !== undefined && others.length === 0 && !first.fields && !first.types && !first.for;
    return {
      types: types && new Set(types),
      prefix,
      single: isSingle ? compileSingle(typename, first, prefix) : undefined,
      fields: compileFields(fields),
    };
  });
}

function compileSingle(typename: string, { key, name }: RepresentationField, prefix: string): CompiledRepresentation['single'] {
  return { key: toDataKey(key), prefix: compactText(`${prefix},${JSON.stringify(name)}:`), typename, name };
}

function compileFields(fields: readonly RepresentationField[]): readonly RepresentedField[] {
  return fields.map((field) => ({
    prefix: compactText(`,${JSON.stringify(field.name)}:`),
    key: toDataKey(field.key),
    fields: field.fields && compileFields(field.fields),
    types: field.types && new Set(field.types),
    neededBy: field.for?.map(toDataKey),
  }));
}

interface EntityFieldInput {
  readonly responsePlan: ResponsePlan;
  readonly responseKey: string;
  /** Name of the variable that holds the representations. */
  readonly variableName: string;
  readonly context: readonly ContextVariable[] | undefined;
  readonly sharing: Sharing;
}

/** Compiles an `_entities` field of a request. */
export function compileEntityField(
  draft: ResponseDraft,
  { responsePlan, responseKey, variableName, context, sharing }: EntityFieldInput,
): EntityField {
  const walks = new Map<string, EntityWalk>();
  for (const path of draft.paths) {
    const walk = compileWalk(path, sharing);
    // Paths that share their objects need one walk only.
    const named = walk.steps.map(({ key, types }) => [key.name, types && [...types]]);
    walks.set(JSON.stringify([walk.start, walk.startTypes && [...walk.startTypes], named]), walk);
  }
  const { fields, keys, shared } = responsePlan;
  return {
    fields,
    keys,
    shared,
    responseKey,
    variableName,
    variable: `${JSON.stringify(variableName)}:[`,
    context,
    paths: draft.paths,
    walks: [...walks.values()],
    representations: compileRepresentations(draft.representations),
    isShareable: sharing.isShareable(draft),
  };
}

/** Compiles the walk that finds the objects at a path. */
export function compileWalk(path: readonly PathStep[], { paths }: Sharing): EntityWalk {
  const start = startOf(path, paths);
  const startTypes = start && path[start.path.length - 1]?.types;
  return { start: start?.index ?? -1, startTypes, steps: path.slice(start?.path.length ?? 0) };
}

/**
 * Returns the innermost shared path that `path` leads through. The path up to it was already walked when its objects arrived, so the walk
 * starts with the registered objects.
 */
function startOf(path: readonly PathStep[], paths: readonly SharedPathDraft[]): SharedPathDraft | undefined {
  return paths.filter((found) => leadsThrough(path, found.path)).sort((one, other) => other.path.length - one.path.length)[0];
}
