import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ConnectVersion } from '../../gateway/connectors/connect-version.ts';
import { compileSelection } from '../../gateway/connectors/selection/compile-selection.ts';
import type { SelectionProblem, WantedFields } from '../../gateway/connectors/selection/compiled-mapping.ts';
import { inferShape } from '../../gateway/connectors/selection/infer-shape.ts';
import { MAPPING_METHODS } from '../../gateway/connectors/selection/mapping-methods.ts';
import { MappingSyntaxError } from '../../gateway/connectors/selection/mapping-syntax-error.ts';
import { parseSelection } from '../../gateway/connectors/selection/parse-selection.ts';
import { printSelection } from '../../gateway/connectors/selection/print-selection.ts';
import { selectedFieldsOf } from '../../gateway/connectors/selection/selected-fields.ts';
import { variableUsesOf } from '../../gateway/connectors/selection/variable-uses.ts';

const RUNS = Number(process.env['MAPPING_RUNS'] ?? 500);
const SEED = Number(process.env['MAPPING_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const PARAMETERS = { numRuns: RUNS, seed: SEED };

const NAMES = ['a', 'b', 'c', 'id', '__proto__', 'constructor', 'true'];
const name = fc.constantFrom(...NAMES);
const key = fc.oneof({ weight: 5, arbitrary: name }, { weight: 1, arbitrary: fc.constantFrom('"x y"', "'it\\'s'", '"#"') });
const scalarText = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '"a"', "'b'", '-1', '.5', '0'),
  fc.integer({ min: 0, max: 99 }).map(String),
);
const version = fc.constantFrom<ConnectVersion>('0.1', '0.2', '0.3', '0.4');

/** Text of mappings, of which a version accepts a large part. */
const { selection } = fc.letrec<{ selection: string; field: string; path: string; step: string; expression: string }>((tie) => ({
  selection: fc.array(tie('field'), { maxLength: 4 }).map((fields) => fields.join(' ')),
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    key,
    fc.tuple(key, tie('selection')).map(([field, inner]) => `${field} { ${inner} }`),
    fc.tuple(key, tie('path')).map(([field, path]) => `${field}: ${path}`),
    fc.tuple(key, tie('selection')).map(([field, inner]) => `${field}: { ${inner} }`),
    tie('path').map((path) => `...${path}`),
    fc.tuple(tie('path'), tie('selection')).map(([path, inner]) => `${path} { ${inner} }`),
  ),
  path: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('$', '@', '$args', '$this', '$x'),
        key,
        tie('expression').map((inner) => `$(${inner})`),
      ),
      fc.array(tie('step'), { maxLength: 3 }),
    )
    .map(([head, steps]) => head + steps.join('')),
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    key.map((property) => `.${property}`),
    fc.constantFrom('?', '->first', '->size', '->entries', '->as($x)', '->jsonStringify', '->typeof', '->not'),
    fc
      .tuple(fc.constantFrom(...MAPPING_METHODS.keys()), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([method, args]) => `->${method}(${args.join(', ')})`),
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarText,
    tie('path'),
    fc.array(tie('expression'), { maxLength: 2 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(key, tie('expression')), { maxLength: 2 })
      .map((properties) => `{ ${properties.map(([property, value]) => `${property}: ${value}`).join(', ')} }`),
    fc.tuple(tie('expression'), fc.constantFrom('??', '?!'), tie('path')).map(([left, operator, right]) => `${left} ${operator} ${right}`),
  ),
}));

/** Data whose names the mappings use. */
const { value: data } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<unknown>(null, true, false, 0, 1.5, '', 'a', '12', '{"a":1}'),
    fc.array(tie('value'), { maxLength: 3 }),
    // `JSON.parse` makes own properties of all names, as the gateway does.
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map(
        (entries) => JSON.parse(`{${entries.map(([property, inner]) => `"${property}":${JSON.stringify(inner)}`).join(',')}}`) as unknown,
      ),
  ),
}));

const { wanted } = fc.letrec<{ wanted: WantedFields | undefined }>((tie) => ({
  wanted: fc.oneof(
    { depthSize: 'small' },
    fc.constant(undefined),
    fc.array(fc.tuple(name, tie('wanted')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

function parsed(text: string, of: ConnectVersion): ReturnType<typeof parseSelection> | undefined {
  try {
    return parseSelection(text, of);
  } catch (error) {
    if (error instanceof MappingSyntaxError) return undefined;
    throw error;
  }
}

/** Returns only the wanted fields of all objects. */
function project(value: unknown, fields: WantedFields | undefined): unknown {
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, fields));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([property]) => fields.has(property))
      .map(([property, inner]) => [property, project(inner, fields.get(property))]),
  );
}

describe(`the mapping language, with seed ${String(SEED)}`, () => {
  it('reports each text that it does not accept with a position in it', () => {
    const words = fc.constantFrom(
      'a',
      '$',
      '@',
      '.',
      '->',
      '?',
      '??',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      ':',
      ',',
      '"',
      '1',
      '-',
      '#',
      '\n',
      'map',
      '...',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 20 }).map((parts) => parts.join('')),
        ),
        version,
        (text, of) => {
          try {
            parseSelection(text, of);
          } catch (error) {
            if (!(error instanceof MappingSyntaxError)) throw error;
            expect(error.offset).toBeGreaterThanOrEqual(0);
            expect(error.offset).toBeLessThanOrEqual(text.length);
            expect(error.message).not.toBe('');
          }
        },
      ),
      PARAMETERS,
    );
  });

  it('has the same meaning after it is printed and parsed again', () => {
    let accepted = 0;
    fc.assert(
      fc.property(selection, version, data, (text, of, input) => {
        const node = parsed(text, of);
        if (node === undefined) return;
        accepted += 1;
        const printed = printSelection(node, of);
        const again = parseSelection(printed, of);
        expect(printSelection(again, of)).toBe(printed);
        const variables = { $args: input };
        expect(compileSelection(again)(input, variables)).toEqual(compileSelection(node)(input, variables));
      }),
      PARAMETERS,
    );
    expect(accepted).toBeGreaterThan(RUNS / 10);
  });

  it('never throws on data, changes neither data nor prototypes, and finds the same with and without problems', () => {
    fc.assert(
      fc.property(selection, version, data, (text, of, input) => {
        const node = parsed(text, of);
        if (node === undefined) return;
        const before = JSON.stringify(input);
        const problems: SelectionProblem[] = [];
        const map = compileSelection(node);
        const value = map(input, { $args: input, $this: { a: input } }, problems);
        expect(map(input, { $args: input, $this: { a: input } })).toEqual(value);
        expect(JSON.stringify(input)).toBe(before);
        expect(Object.keys(Object.prototype)).toEqual([]);
        for (const { offset } of problems) expect(offset).toBeLessThan(text.length);
        for (const analyze of [selectedFieldsOf, variableUsesOf]) expect(Array.isArray(analyze(node))).toBe(true);
        expect(inferShape(node, new Map()).shape).toBeDefined();
      }),
      PARAMETERS,
    );
  });

  it('creates the same objects before and after it generates code for them', () => {
    fc.assert(
      fc.property(selection, version, data, (text, of, input) => {
        const node = parsed(`list { a: a->slice(0, 1) ${text} }`, of);
        if (node === undefined) return;
        const map = compileSelection(node);
        const { list } = map({ list: Array.from({ length: 1_100 }, () => input) }, { $args: input }) as {
          readonly list: readonly unknown[];
        };
        expect(list.at(-1)).toEqual(list[0]);
      }),
      { ...PARAMETERS, numRuns: Math.ceil(RUNS / 5) },
    );
  });

  it('joins literals and slices the same with and without problems', () => {
    const number = fc.integer({ min: -4, max: 4 });
    const item = fc.oneof(
      fc.constantFrom('""', '"-"', '"T00:00"', '1', 'null'),
      fc.constantFrom('$', '@', 'a', 'a.b').map((head) => `${head}->slice`),
      fc.tuple(fc.constantFrom('$', 'a', 'b'), number).map(([head, start]) => `${head}->slice(${start})`),
      fc.tuple(fc.constantFrom('a', 'a', 'a', '$'), number, number).map(([head, start, end]) => `${head}->slice(${start}, ${end})`),
    );
    const list = fc.array(item, { maxLength: 6 }).map((items) => `[${items.join(', ')}]`);
    const text = fc.constantFrom<unknown>('31.01.2026', '\u{1F600}b', '', 12, null, ['x', 'y'], { b: 'abc' });
    fc.assert(
      fc.property(list, fc.constantFrom('', ', '), fc.oneof(text, fc.record({ a: text, b: text })), (items, glue, input) => {
        const map = compileSelection(parseSelection(`$(${items})->joinNotNull(${JSON.stringify(glue)})`, '0.3'));
        expect(map(input, {})).toEqual(map(input, {}, []));
      }),
      PARAMETERS,
    );
  });

  it('computes the same for wanted fields as for all fields', () => {
    fc.assert(
      fc.property(selection, version, data, wanted, (text, of, input, fields) => {
        const node = parsed(text, of);
        if (node === undefined) return;
        const variables = { $args: input };
        const all = compileSelection(node)(input, variables);
        expect(project(compileSelection(node, fields)(input, variables), fields)).toEqual(project(all, fields));
      }),
      PARAMETERS,
    );
  });
});
