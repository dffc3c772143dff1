import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument } from '../../../../rest-facade/openapi/openapi-document.ts';
import { resolve } from '../../../support/description/resolve.ts';

const HOSTILE_TEXTS = [
  ...'0 -1 007 1e3 1.5 NaN null true [] {} __proto__ constructor * ../.. %00 \u202e 💩'.split(' '),
  ...'<script> ${7*7} {{7*7}} 9007199254740993 99999999999999999999 2147483648 PENDING id title,title -'.split(' '),
  `'; drop table users`,
  '\u0000',
  '\ud800',
  ' ',
  '',
  'a'.repeat(3_000),
];

/** Text that is likely to break parsers and queries. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ maxLength: 30 }));

/** Any JSON value. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, -1, 1e300, []));

/** Generates a value that a schema allows, within the size limits of a body. */
export function arbitraryValue(schema: JsonSchema, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: values, type } = schema;
  if ($ref !== undefined) return arbitraryValue(resolve($ref, document.components.schemas), document);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryValue(choice, document)));
  if (values !== undefined) return fc.constantFrom(...values);
  if (Array.isArray(type)) return fc.oneof(...(type as readonly string[]).map((one) => ofType(one, schema, document)));
  return typeof type === 'string' ? ofType(type, schema, document) : fc.jsonValue({ maxDepth: 1 });
}

function ofType(type: string, schema: JsonSchema, document: OpenApiDocument): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer(boundsOf(schema)));
    case 'number':
      return fc.oneof(
        fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'array':
      return fc.array(arbitraryValue(schema.items ?? {}, document), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return arbitraryObject(schema, document);
    default:
      return arbitraryText(schema);
  }
}

/** Values that the reference services accept. The schemas do not describe these constraints. */
const SENSIBLE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.uuid().map((id) => `${id}@example.com`),
  currency: fc.constantFrom('EUR', 'USD'),
  url: fc.uuid().map((id) => `http://127.0.0.1:1/${id}`), // This host needs no name server.
  events: fc.constant(['order.created']),
  qty: fc.integer({ min: 1, max: 9 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  amount: fc.integer({ min: 1, max: 9_999 }),
  age: fc.integer({ min: 1, max: 99 }),
  price: fc.integer({ min: 1, max: 9_999 }).map((cents) => cents / 100),
  tags: fc.constant(['a tag']),
  orderId: fc.constant(null),
  productId: fc.integer({ min: 1, max: 40 }),
};

function boundsOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): { min: number; max: number } {
  return { min: minimum, max: maximum };
}

function arbitraryObject({ properties = {}, required = [] }: JsonSchema, document: OpenApiDocument): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const any = arbitraryValue(schema, document);
      return [
        name,
        Object.hasOwn(SENSIBLE, name) ? fc.oneof({ arbitrary: SENSIBLE[name] ?? any, weight: 3 }, { arbitrary: any, weight: 1 }) : any,
      ];
    }),
  );
  return fc.record(model, { requiredKeys: [...required] });
}

function arbitraryText({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 60) });
  return fc.oneof(
    fc.constantFrom('A word', 'EUR', 'somebody@example.com', 'x'.repeat(Math.min(maxLength, 100))),
    fc.string({ minLength, maxLength: Math.min(maxLength, 60) }),
  );
}
