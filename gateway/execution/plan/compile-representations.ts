import { compactText } from '../data/compact-text.ts';
import type { RepresentationField, RepresentationPlan } from '../../planning/operation-plan.ts';
import { toDataKey } from '../data/own-properties.ts';
import type { CompiledRepresentation, RepresentedField } from './compiled-plan.ts';

/** Compiles how representations are made. */
export function compileRepresentations(plans: readonly RepresentationPlan[]): readonly CompiledRepresentation[] {
  return plans.map(({ types, typename, fields }) => {
    const opening = compactText(`{"__typename":${JSON.stringify(typename)}`);
    const [first, ...others] = fields;
    const isSingle = first !== undefined && others.length === 0 && !first.fields && !first.types && !first.for;
    return {
      types: types && new Set(types),
      opening,
      single: isSingle ? { key: toDataKey(first.key), opening: compactText(`${opening},${JSON.stringify(first.name)}:`) } : undefined,
      fields: compileFields(fields),
    };
  });
}

function compileFields(fields: readonly RepresentationField[]): readonly RepresentedField[] {
  return fields.map((field) => ({
    opening: compactText(`,${JSON.stringify(field.name)}:`),
    key: toDataKey(field.key),
    fields: field.fields && compileFields(field.fields),
    types: field.types && new Set(field.types),
    neededBy: field.for?.map(toDataKey),
  }));
}
