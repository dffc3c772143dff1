import type { WantedFields } from './compiled-mapping.ts';
import { isJsonObject } from './json-values.ts';
import { MAX_DATA_DEPTH } from './mapping-limits.ts';
import { type Evaluate, linkTo, type MappingRun, type PlaceLink, type StaticPlace } from './mapping-run.ts';

/** The fields of a selection: those that are needed, and all of them. */
export interface CompiledFields {
  readonly select: Evaluate;
  readonly selectAll: Evaluate;
  readonly wanted: WantedFields | undefined;
}

/**
 * Applies a selection to a value: to each item, if that is a list, and with `$` and `@` bound to it. Null stays null.
 *
 * @param location of the value in the input
 */
export function mapSelection(
  { select, selectAll, wanted }: CompiledFields,
  location: StaticPlace,
): (value: unknown, run: MappingRun) => unknown {
  function selectOne(value: unknown, run: MappingRun): unknown {
    if (typeof value === 'object') return select(value, value, run);
    // A scalar has no properties. It is the result if the selection, which can also consist of `$` or literals, finds nothing.
    const output = selectAll(value, value, run);
    return isEmptyObject(output) ? value : projectFields(output, wanted);
  }

  function apply(value: unknown, run: MappingRun, depth: number): unknown {
    if (value === null || value === undefined) return value;
    if (!Array.isArray(value)) return selectOne(value, run);
    if (depth > MAX_DATA_DEPTH) return null;
    const { length } = value;
    const output: unknown[] = [];
    if (run.problems === undefined) {
      for (let index = 0; index < length; index += 1) output.push(apply(value[index], run, depth + 1) ?? null);
      return output;
    }
    const outer = run.current;
    const link: PlaceLink = { parent: outer, keys: [], index: 0 };
    for (let index = 0; index < length; index += 1) {
      link.index = index;
      run.root = link;
      run.current = link;
      output.push(apply(value[index], run, depth + 1) ?? null);
    }
    run.root = outer;
    run.current = outer;
    return output;
  }

  return (value, run) => {
    if (run.problems === undefined) return apply(value, run, 0);
    const { root, current } = run;
    const link = linkTo(location, run);
    run.root = link;
    run.current = link;
    const output = apply(value, run, 0);
    run.root = root;
    run.current = current;
    return output;
  };
}

/**
 * Applies a selection to a response without a body. The result consists of the fields that need no data, such as literals and arguments.
 *
 * @returns undefined if there are none
 */
export function mapNothing({ selectAll, wanted }: CompiledFields, run: MappingRun): unknown {
  const output = selectAll(undefined, undefined, run);
  if (!isJsonObject(output)) return output;
  const found = Object.entries(output).filter(([, value]) => !isEmptyObject(value));
  return found.length === 0 ? undefined : projectFields(Object.fromEntries(found), wanted);
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function projectFields(value: unknown, wanted: WantedFields | undefined): unknown {
  if (wanted === undefined || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => wanted.has(name)));
}
