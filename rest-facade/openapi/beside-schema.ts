import { Kind } from 'graphql';
import type { RestRoute } from '../compile/rest-route.ts';
import { declaredResult } from './declared-result.ts';
import type { JsonSchema } from './openapi-document.ts';
import { type ResultContext, resultSchema } from './result-schema.ts';

/** The schema of an answer with the fields that are shown of the object around it. */
export function withBeside(schema: JsonSchema, route: RestRoute, context: ResultContext): JsonSchema {
  const { beside = [], path } = route.result;
  if (beside.length === 0) return schema;
  const holder = declaredResult({ ...route, result: { ...route.result, path: path.slice(0, -1) } }, context.schema);
  if (holder === undefined) return schema;
  const names = new Set(beside);
  const selections = holder.selectionSet.selections.filter(
    (selection) => selection.kind === Kind.FIELD && names.has((selection.alias ?? selection.name).value),
  );
  const { description: _, ...own } = resultSchema({ selections }, holder.type, context);
  return { allOf: [schema, own] };
}
