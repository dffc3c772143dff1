import type { Schema } from '@apollo/federation-internals';
import type { FetchDataKeyRenamer } from '@apollo/query-planner';
import { FieldFailure, findFailure, orFailure } from './field-failure.ts';
import type { FlattenPath } from './flatten-path.ts';
import { type DataObject, isDataObject, readKey, readOwn } from './own-properties.ts';
import { printFreeForm } from './print-free-form.ts';
import { type RewriteStep, compileSteps } from './rewrites.ts';

/** Variables of a fetch whose values come from objects further out in the response (`@context`, `@fromContext`). */
export interface ContextArguments {
  readonly variables: ReadonlyMap<string, readonly ContextSource[]>;
}

/** One place that may have a variable's value; it has when the object there is of the right type. */
interface ContextSource {
  /** Fields to go up from the object that is filled. */
  readonly levels: number;
  readonly steps: readonly RewriteStep[];
}

/** Objects that one and the same request can ask about. */
export interface ContextGroup {
  /** JSON text of the variables that come from the context, without braces. */
  readonly variables: string;
  readonly targets: readonly DataObject[];
}

/** What the objects of a fetch find around them. */
export interface ContextGroups {
  readonly groups: readonly ContextGroup[];
  /** Objects around which a value should have been fetched and could not. */
  readonly failed: readonly { readonly target: DataObject; readonly failure: FieldFailure }[];
}

const UP = '..';

/**
 * Compiles what the planner says about arguments from the context: `..` goes up one field from the object that is
 * filled, and the rest leads to the value, the type of the object in between being checked.
 */
export function compileContext(schema: Schema, rewrites: readonly FetchDataKeyRenamer[] = []): ContextArguments | undefined {
  const variables = new Map<string, ContextSource[]>();
  for (const { path, renameKeyTo } of rewrites) {
    const levels = path.findLastIndex((element) => element === UP) + 1;
    const source = { levels, steps: compileSteps(schema, path.slice(levels)) };
    const sources = variables.get(renameKeyTo);
    if (sources === undefined) variables.set(renameKeyTo, [source]);
    else sources.push(source);
  }
  return variables.size === 0 ? undefined : { variables };
}

/** All objects at a path, those together that have the same values around them. */
export function groupByContext(root: DataObject, path: FlattenPath, context: ContextArguments): ContextGroups {
  const groups = new Map<string, DataObject[]>();
  const failed: { target: DataObject; failure: FieldFailure }[] = [];
  const around: DataObject[] = [];
  const follow = (value: unknown, index: number): void => {
    const step = path[index];
    if (step?.kind === 'items') {
      if (Array.isArray(value)) for (const item of value) follow(item, index + 1);
    } else if (!isDataObject(value) || value instanceof FieldFailure) {
      return;
    } else if (step === undefined) {
      const variables = orFailure(() => printContext(context, around, value));
      if (variables instanceof FieldFailure) return void failed.push({ target: value, failure: variables });
      const group = groups.get(variables);
      if (group === undefined) groups.set(variables, [value]);
      else group.push(value);
    } else if (step.kind === 'type') {
      if (step.typenames.has(String(readOwn(value, '__typename')))) follow(value, index + 1);
    } else {
      around.push(value);
      follow(readKey(value, step.key), index + 1);
      around.pop();
    }
  };
  follow(root, 0);
  return { groups: [...groups].map(([variables, targets]) => ({ variables, targets })), failed };
}

/** The variables as JSON text; a value that nobody has is left out, as a client may leave a variable out. */
function printContext({ variables }: ContextArguments, around: readonly DataObject[], target: DataObject): string | FieldFailure {
  const entries: string[] = [];
  for (const [name, sources] of variables) {
    for (const { levels, steps } of sources) {
      const value = readAt(levels === 0 ? target : around.at(-levels), steps, 0);
      if (value === undefined) continue;
      const failure = findFailure(value, []);
      if (failure !== undefined) return failure;
      entries.push(`${JSON.stringify(name)}:${printFreeForm(value)}`);
      break;
    }
  }
  return entries.join(',');
}

/** The value at the end of the steps; of a list, the list of the values in its items. */
function readAt(value: unknown, steps: readonly RewriteStep[], index: number): unknown {
  const step = steps[index];
  if (step === undefined || value === null || value === undefined || value instanceof FieldFailure) return value;
  if (Array.isArray(value)) return value.map((item) => readAt(item, steps, index) ?? null);
  if (!isDataObject(value)) return undefined;
  if (step.kind === 'field') return readAt(readOwn(value, step.key), steps, index + 1);
  const typename = readOwn(value, '__typename');
  return typeof typename !== 'string' || step.typenames.has(typename) ? readAt(value, steps, index + 1) : undefined;
}
