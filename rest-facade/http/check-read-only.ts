import { isDeepStrictEqual } from 'node:util';
import type { FieldSelection } from '../compile/result/field-mask.ts';
import type { Shape } from '../compile/result/shape.ts';
import { bindPath } from '../request/parameters/bind-request.ts';
import { readFieldSelection } from '../request/parameters/field-selection.ts';
import { createValidationIssues } from '../request/parameters/validation-issues.ts';
import type { RestRequest } from '../request/request-context.ts';
import { readResult } from '../response/read-result.ts';
import { isResultObject } from '../response/result-data.ts';
import { shapeResource } from '../response/shape-resource.ts';
import type { ExecuteRequest } from './conditional-request.ts';

const ISSUE = 'is read-only: omit it, or send its current value';

/**
 * Compares the read-only members of a body with the current state of the resource, as the caller can see it. If the expected version of the
 * caller is not current, the members are not checked, because the write itself fails.
 *
 * @throws GatewayError `BAD_USER_INPUT` with each member that differs, and the errors of GET on the resource
 */
export async function checkReadOnly(run: ExecuteRequest, request: RestRequest): Promise<void> {
  const { readOnly, resource, table } = request;
  if (readOnly === undefined) return;
  const { route, values } = readOnly;
  const variables: Record<string, unknown> = {};
  bindPath(route.bindings.path, resource.match.parameters, variables);
  const fields = selectionOf([...values.keys()], route.result.shape);
  const bound = { variables, fields };
  const { root, omitted } = readResult(
    await run({ ...request, route, bound, document: table.documentOf(route, { fields }) }),
    route,
    bound,
  );
  const { versions } = request.condition ?? {};
  if (versions !== undefined && !versions.includes(root[route.result.validators.version?.name ?? ''])) return;
  const current = shapeResource(root, route.result.shape, { omitted, mask: fields.mask });
  const shown = isResultObject(current) ? current : {};
  const issues = createValidationIssues(values.size);
  for (const [name, value] of values) {
    if (!Object.hasOwn(shown, name) || !isDeepStrictEqual(value, shown[name])) issues.add('BAD_USER_INPUT', name, ISSUE);
  }
  issues.throwAny();
}

/** Builds a field selection without names. A field without permission then counts as different and does not reject the whole request. */
function selectionOf(names: readonly string[], shape: Shape): FieldSelection {
  const selection = readFieldSelection(names.join(), shape, { maxFields: names.length, maxFieldDepth: 1 }, createValidationIssues(1));
  return { mask: selection?.mask ?? new Map(), key: selection?.key ?? '', names: new Set() };
}
