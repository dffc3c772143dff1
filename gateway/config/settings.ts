import { z } from 'zod';

/**
 * Description of the values that one key accepts, compiled from the zod sections. The configuration reader and the generated reference use
 * only this model.
 */
export type Setting = SectionSetting | RecordSetting | ValueSetting;

export interface SectionSetting {
  readonly kind: 'section';
  readonly keys: SettingKeys;
}

/** Keys of a section with their settings, in the order of the schema. */
export interface SettingKeys extends Iterable<readonly [string, Setting]> {
  has(key: string): boolean;
  get(key: string): Setting | undefined;
  keys(): Iterable<string>;
}

/** Map with free keys; all values have the same shape. */
export interface RecordSetting {
  readonly kind: 'record';
  readonly description: string;
  readonly value: Setting;
}

export interface ValueSetting {
  readonly kind: 'value';
  /** Type to which a text from the environment is converted. */
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | 'json';
  readonly description: string;
  readonly unit?: string;
  readonly defaultValue?: unknown;
  /** Whether the value is a secret and must never be printed. */
  readonly isSecret: boolean;
  /** Whether the value is a path. Paths are relative to the file that contains them. */
  readonly isPath: boolean;
  /** Description of a valid value, without its unit. */
  readonly expected: string;
}

/** Subset of JSON Schema that the sections compile to. */
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

/** Top-level keys. A setting is compiled when it is first read: compiling all takes longer than reading the configuration without it. */
class KeysOnDemand implements SettingKeys {
  readonly #shape: Readonly<Record<string, z.ZodType>>;
  readonly #compiled = new Map<string, Setting>();

  constructor(shape: Readonly<Record<string, z.ZodType>>) {
    this.#shape = shape;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#shape, key);
  }

  get(key: string): Setting | undefined {
    const known = this.#compiled.get(key);
    const schema = this.has(key) ? this.#shape[key] : undefined;
    if (known !== undefined || schema === undefined) return known;
    const setting = compileSetting(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
    this.#compiled.set(key, setting);
    return setting;
  }

  keys(): readonly string[] {
    return Object.keys(this.#shape);
  }

  *[Symbol.iterator](): Generator<readonly [string, Setting]> {
    for (const key of this.keys()) {
      const setting = this.get(key);
      if (setting !== undefined) yield [key, setting];
    }
  }
}

const compiled = new WeakMap<z.ZodObject, SectionSetting>();

/** Returns the settings of a schema of sections. The result is cached for each schema. */
export function compileSettings(schema: z.ZodObject): SectionSetting {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const settings: SectionSetting = { kind: 'section', keys: new KeysOnDemand(schema.shape) };
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
  if (schema.format === 'uri') return 'a URL that starts with http:// or https://';
  return (schema.minLength ?? 0) > 1 ? `a string of at least ${schema.minLength} characters` : 'a non-empty string';
}
