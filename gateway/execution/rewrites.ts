import type { Schema } from '@apollo/federation-internals';
import type { FetchDataRewrite } from '@apollo/query-planner';
import { type DataObject, isDataObject, readOwn, writeOwn } from './own-properties.ts';
import { typesMatching } from './type-matching.ts';

/** Changes an object in place, before it is sent or after it came. */
export type Rewrite = (value: unknown) => void;

/** One step of a path of the planner: into a field, or past a check of the type. */
export type RewriteStep =
  | { readonly kind: 'field'; readonly key: string }
  | { readonly kind: 'type'; readonly typenames: ReadonlySet<string> };

const FRAGMENT_PREFIX = '... on ';

/**
 * Compiles the rewrites of a fetch. The planner asks for one response key under two names where two fields of one fetch
 * would clash, and the renamer puts the value where the client wants it; the setter names the interface where a subgraph
 * knows only that.
 */
export function compileRewrites(schema: Schema, rewrites: readonly FetchDataRewrite[] | undefined): Rewrite | undefined {
  if (rewrites === undefined || rewrites.length === 0) return undefined;
  // The planner lists outer aliases first and names inner fields by them: renamed from the inside out, all are found.
  const compiled = rewrites.map((rewrite) => compileRewrite(schema, rewrite)).reverse();
  return (value) => {
    for (const apply of compiled) apply(value);
  };
}

/** The fields that a rewrite's path goes through, without its type conditions. */
export function fieldsOfRewritePath(path: readonly string[]): readonly string[] {
  return path.filter((element) => !element.startsWith(FRAGMENT_PREFIX));
}

/** Compiles a path of the planner. */
export function compileSteps(schema: Schema, path: readonly string[]): readonly RewriteStep[] {
  return path.map((element): RewriteStep => {
    if (!element.startsWith(FRAGMENT_PREFIX)) return { kind: 'field', key: element };
    return { kind: 'type', typenames: typesMatching(schema, element.slice(FRAGMENT_PREFIX.length)) };
  });
}

function compileRewrite(schema: Schema, rewrite: FetchDataRewrite): Rewrite {
  const key = rewrite.path.at(-1) ?? '';
  const steps = compileSteps(schema, rewrite.path.slice(0, -1));
  if (rewrite.kind === 'ValueSetter') {
    const setTo: unknown = rewrite.setValueTo;
    return (value) => applyAt(steps, 0, value, (object) => writeOwn(object, key, setTo));
  }
  const renameTo = rewrite.renameKeyTo;
  return (value) =>
    applyAt(steps, 0, value, (object) => {
      const renamed = readOwn(object, key);
      if (renamed === undefined) return;
      writeOwn(object, renameTo, renamed);
      writeOwn(object, key, undefined);
    });
}

function applyAt(steps: readonly RewriteStep[], index: number, value: unknown, apply: (object: DataObject) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) applyAt(steps, index, item, apply);
    return;
  }
  if (!isDataObject(value)) return;
  const step = steps[index];
  if (step === undefined) {
    apply(value);
  } else if (step.kind === 'field') {
    applyAt(steps, index + 1, readOwn(value, step.key), apply);
  } else {
    const typename = readOwn(value, '__typename');
    // Without a `__typename` the planner knew that there is only one type.
    if (typeof typename !== 'string' || step.typenames.has(typename)) applyAt(steps, index + 1, value, apply);
  }
}
