import { z } from 'zod';

/** What may be written under one key. Compiled from the zod sections; the only model the reader and the page use. */
export type Setting = SectionSetting | RecordSetting | ValueSetting;

export interface SectionSetting {
  readonly kind: 'section';
  readonly keys: ReadonlyMap<string, Setting>;
}

/** Free keys, each with the same content. */
export interface RecordSetting {
  readonly kind: 'record';
  readonly description: string;
  readonly value: Setting;
}

export interface ValueSetting {
  readonly kind: 'value';
  /** How text from the environment becomes a value. */
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | 'json';
  readonly description: string;
  readonly unit?: string;
  readonly defaultValue?: unknown;
  /** Whether the value must never be printed. */
  readonly isSecret: boolean;
  /** Whether the value is a path, which is relative to the file it is written in. */
  readonly isPath: boolean;
  /** What a right value looks like, without its unit. */
  readonly expected: string;
}

/** The part of JSON Schema that our sections come out as. */
interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly description?: string;
  readonly unit?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly path?: boolean;
  readonly expected?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
}

const compiled = new WeakMap<z.ZodType, SectionSetting>();

/** Every key of a schema of sections, with what is known about it. Made once for a schema: it takes 20 ms. */
export function compileSettings(schema: z.ZodType): SectionSetting {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const settings: SectionSetting = { kind: 'section', keys: compileKeys(properties ?? {}) };
  compiled.set(schema, settings);
  return settings;
}

function compileKeys(properties: Readonly<Record<string, JsonSchema>>): ReadonlyMap<string, Setting> {
  return new Map(Object.entries(properties).map(([key, schema]) => [key, compileSetting(schema)]));
}

function compileSetting(schema: JsonSchema): Setting {
  if (schema.properties) return { kind: 'section', keys: compileKeys(schema.properties) };
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return { kind: 'record', description: schema.description ?? '', value: compileSetting(schema.additionalProperties) };
  }
  return {
    kind: 'value',
    type: valueType(schema.type),
    description: schema.description ?? '',
    ...(schema.unit === undefined ? {} : { unit: schema.unit }),
    ...(schema.default === undefined ? {} : { defaultValue: schema.default }),
    isSecret: schema.secret ?? false,
    isPath: schema.path ?? false,
    expected: expectationOf(schema),
  };
}

function valueType(type: string | undefined): ValueSetting['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' || type === 'string' ? type : 'json';
}

function expectationOf(schema: JsonSchema): string {
  if (schema.expected !== undefined) return schema.expected;
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'number') return `a number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'a list';
  if (schema.format === 'uri') return 'an address that starts with http:// or https://';
  return (schema.minLength ?? 0) > 1 ? `a text of at least ${schema.minLength} characters` : 'a text that is not empty';
}
