import { type BodyLimit, NOT_BLANK } from '../compile/bindings/body-limits.ts';
import type { JsonSchema } from './openapi-document.ts';

/** The schema of a field with what its limits leave of it. */
export function limited(schema: JsonSchema, limit: BodyLimit | undefined): JsonSchema {
  if (limit === undefined) return schema;
  const { minItems, maxItems, uniqueItems, notNull } = limit;
  const whole = notNull ? withoutNull(schema) : schema;
  if (whole.items === undefined) return { ...whole, ...valueLimits(whole, limit) };
  return {
    ...whole,
    items: { ...whole.items, ...valueLimits(whole.items, limit) },
    ...(minItems == null ? {} : { minItems }),
    ...(maxItems == null ? {} : { maxItems }),
    ...(uniqueItems ? { uniqueItems } : {}),
  };
}

function valueLimits({ type }: JsonSchema, limit: BodyLimit): JsonSchema {
  const { notBlank, minLength, maxLength, format, values, minimum, maximum, decimals } = limit;
  const least = minLength ?? (notBlank ? 1 : undefined);
  return {
    ...(least === undefined ? {} : { minLength: least }),
    ...(maxLength == null ? {} : { maxLength }),
    ...(notBlank ? { pattern: NOT_BLANK } : {}),
    ...(format == null ? {} : { format }),
    ...(values == null ? {} : { enum: Array.isArray(type) ? [...values, null] : values }),
    ...(minimum == null ? {} : { minimum }),
    ...(maximum == null ? {} : { maximum }),
    ...(decimals == null ? {} : { multipleOf: Number(`1e-${decimals}`) }),
  };
}

function withoutNull({ type, enum: values, anyOf, ...rest }: JsonSchema): JsonSchema {
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : type;
  const [only] = Array.isArray(types) && types.length === 1 ? types : [types];
  const choices = anyOf?.filter((choice) => choice.type !== 'null');
  const [sole] = choices ?? [];
  return {
    ...(choices?.length === 1 ? sole : choices === undefined ? {} : { anyOf: choices }),
    ...(only === undefined ? {} : { type: only }),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...rest,
  };
}
