import { compileFunction } from 'node:vm';
import type { Evaluate } from './mapping-run.ts';

/** Section of a text, or a literal text. */
export type TextPiece = string | { readonly start: number; readonly end: number | undefined };

/** Computes a value from a property of `$`, if that has one. */
export type PropertyValue =
  /** The value of the property. */
  | { readonly kind: 'property'; readonly key: string }
  /** The result of steps, which are evaluated with `@` bound to the value of the property. */
  | { readonly kind: 'steps'; readonly key: string; readonly steps: Evaluate }
  /** Sections of a string and literals, joined. */
  | { readonly kind: 'text'; readonly key: string; readonly pieces: readonly TextPiece[] };

/** Field of an object that is created by generated code. */
export interface GeneratedField {
  readonly name: string;
  /** Computes the value in all cases. */
  readonly evaluate: Evaluate;
  /** Computes the value in the usual case. @defaultValue `evaluate` computes it */
  readonly usual?: PropertyValue | undefined;
}

/** Number of objects after which code is generated. The code of operations that are rarely executed would not be optimized. */
const MIN_OBJECTS = 1_000;

/**
 * Returns a function that creates objects with code that is generated for their fields. V8 optimizes it separately for each object of a
 * mapping, so that it reads and writes properties at known positions. Generated code contains names, literal texts and numbers of the schema
 * only, of which texts are JSON literals. It contains no value of a request.
 *
 * @param general creates the objects until code is generated, when problems are recorded, and if `$` is not an object
 */
export function generateObject(fields: readonly GeneratedField[], general: Evaluate): Evaluate {
  let remaining = MIN_OBJECTS;
  let generated: Evaluate | undefined;
  return (root, current, run) => {
    if (run.problems !== undefined || typeof root !== 'object' || root === null) return general(root, current, run);
    if (generated !== undefined) return generated(root, current, run);
    remaining -= 1;
    if (remaining === 0) generated = generate(fields);
    return general(root, current, run);
  };
}

function generate(fields: readonly GeneratedField[]): Evaluate {
  const values = fields.map(({ usual }, index) => `const v${index} = ${valueCode(usual, index)};`);
  const properties = fields.map(({ name }, index) => `${JSON.stringify(name)}: v${index}`);
  const assignments = fields.map(({ name }, index) => `if (v${index} !== undefined) output[${JSON.stringify(name)}] = v${index};`);
  const condition = fields.map((_field, index) => `v${index} !== undefined`).join(' && ') || 'true';
  const code = `${fields.map((_field, index) => `const e${index} = evaluate[${index}], s${index} = steps[${index}];`).join('\n')}
  return (root, current, run) => {
    let t;
    ${values.join('\n')}
    if (${condition}) return { ${properties.join(', ')} };
    const output = {};
    ${assignments.join('\n')}
    return output;
  };`;
  const create = compileFunction(code, ['evaluate', 'steps']) as (
    evaluate: readonly Evaluate[],
    steps: readonly (Evaluate | undefined)[],
  ) => Evaluate;
  return create(
    fields.map(({ evaluate }) => evaluate),
    fields.map(({ usual }) => (usual?.kind === 'steps' ? usual.steps : undefined)),
  );
}

function valueCode(usual: PropertyValue | undefined, index: number): string {
  const general = `e${index}(root, current, run)`;
  if (usual === undefined) return general;
  const property = `(t = root[${JSON.stringify(usual.key)}])`;
  switch (usual.kind) {
    case 'property':
      return `${property} === undefined ? ${general} : t`;
    case 'steps':
      return `${property} === undefined ? ${general} : s${index}(root, t, run)`;
    case 'text':
      break;
  }
  const pieces = usual.pieces.map((piece) => (typeof piece === 'string' ? JSON.stringify(piece) : `t.slice(${piece.start}, ${piece.end})`));
  return `typeof ${property} === 'string' ? "" + ${pieces.join(' + ')} : ${general}`;
}
