import fc from 'fast-check';
import { expect, it } from '@jest/globals';
import type { JsonSchema } from '../../../../rest-facade/openapi/openapi-document.ts';
import type { DescribedInterface } from '../../../support/description/described-interface.ts';
import { fetchDescriptions } from '../../../support/description/fetch-descriptions.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { resolve } from '../../../support/description/resolve.ts';

/** Valid values of fields whose constraints a schema cannot express: existing resources and permitted webhook addresses. */
const KNOWN: Readonly<Record<string, unknown>> = { productId: 1, orderId: null, url: 'http://127.0.0.1:9/' };

/** Number of bodies for resources that other tests count at the same time. @unit bodies */
const RUNS: Readonly<Record<string, number>> = { '/orders': 5, '/webhooks': 5 };

const SEED = Number(process.env['OPENAPI_FUZZ_SEED'] ?? Date.now() % 2_147_483_647);

describeOnStack('request bodies of the OpenAPI description', (stack) => {
  const creations: readonly (readonly [path: string, version: number])[] = [
    ['/books', 1],
    ['/orders', 1],
    ['/orders', 2],
    ['/payments', 1],
    ['/posts', 1],
    ['/users', 1],
    ['/webhooks', 1],
  ];

  it.each(creations)(
    `POST %s in version %i accepts any body within its limits (OPENAPI_FUZZ_SEED=${SEED})`,
    async (path, version) => {
      const { token } = await stack.newUser();
      const schema = bodyOf(await described(version), path);
      for (const body of fc.sample(arbitraryWithin(schema), { seed: SEED, numRuns: RUNS[path] ?? 12 })) {
        const response = await send(path, version, body, token);
        // A conflict means that the resource exists already, so the body was accepted.
        expect([JSON.stringify(body), response.status === 409 ? 201 : response.status, response.text]).toEqual([
          JSON.stringify(body),
          201,
          response.text,
        ]);
      }
    },
    60_000,
  );

  it.each(creations)('POST %s in version %i names the field that exceeds its limits', async (path, version) => {
    const { token } = await stack.newUser();
    const schema = bodyOf(await described(version), path);
    const [good] = fc.sample(arbitraryWithin(schema), { seed: SEED, numRuns: 1 });
    const beyond = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      beyondLimits(field).map((value) => [name, value] as const),
    );
    expect(beyond.length).toBeGreaterThan(1);
    for (const [name, value] of beyond) {
      const { status, body } = await send(path, version, { ...(good as object), [name]: value }, token);
      const reported = (body as { readonly details?: readonly { readonly field: string }[] }).details?.map(
        ({ field }) => field.split('.')[0],
      );
      expect({ name, value: JSON.stringify(value).slice(0, 40), status, reported }).toEqual({
        name,
        value: JSON.stringify(value).slice(0, 40),
        status: 400,
        reported: [name],
      });
    }
  });

  async function described(version: number): Promise<DescribedInterface> {
    const found = (await fetchDescriptions(stack.url)).find((candidate) => candidate.version === version);
    if (found === undefined) throw new Error(`The gateway has no description of version ${version}.`);
    return found;
  }

  function bodyOf({ document }: DescribedInterface, path: string): JsonSchema {
    const reference = document.paths[path]?.['post']?.requestBody?.content['application/json']?.schema.$ref;
    return resolve(reference ?? '', document.components.schemas);
  }

  function send(path: string, version: number, json: unknown, token: string) {
    const requested = path === '/books' ? stack.tokens.admin : token;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return stack.http.send({ method: 'POST', path: `/v${version}${path}`, json, headers, token: requested });
  }
});

function arbitraryWithin({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const model = Object.entries(properties).map(
    ([name, schema]) => [name, name in KNOWN ? fc.constant(KNOWN[name]) : within(schema)] as const,
  );
  return fc.record(Object.fromEntries(model), { requiredKeys: [...required] });
}

function within({ type, enum: values, minimum = 0, maximum = 100, multipleOf, items = {}, ...text }: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(type))
    return fc.oneof(fc.constant(null), within({ type: type[0], enum: values, minimum, maximum, items, ...text } as JsonSchema));
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
  if (type === 'number') {
    const step = multipleOf ?? 1;
    return fc.oneof(
      fc.constantFrom(minimum, maximum),
      fc.integer({ min: minimum / step, max: maximum / step }).map((count) => count * step),
    );
  }
  if (type === 'array') {
    const limits = { minLength: text.minItems ?? 0, maxLength: Math.min(text.maxItems ?? 5, 5) };
    return text.uniqueItems === true ? fc.uniqueArray(within(items), limits) : fc.array(within(items), limits);
  }
  if (text.format === 'email') return fc.uuid().map((id) => `${id}@example.com`);
  const { minLength = 0, maxLength = 50, pattern = '' } = text;
  const any = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 50) });
  const longest = fc.constant('\u{1f4a9}'.repeat(maxLength));
  return fc.oneof({ weight: 9, arbitrary: any }, { weight: 1, arbitrary: longest }).filter((value) => isWithin(value, pattern, maxLength));
}

function isWithin(value: string, pattern: string, maxLength: number): boolean {
  return new RegExp(pattern, 'u').test(value) && Array.from(value).length <= maxLength && !/\p{Surrogate}/u.test(value);
}

/** Returns values just beyond the limits of a field. */
function beyondLimits({
  type,
  minimum,
  maximum,
  multipleOf,
  maxLength,
  pattern,
  maxItems,
  minItems,
  items,
  ...rest
}: JsonSchema): readonly unknown[] {
  const isText = type === 'string';
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined || maximum > 2 ** 40 ? [] : [maximum + 1]),
    ...(multipleOf === undefined ? [] : [(minimum ?? 0) + multipleOf / 2]),
    ...(isText && maxLength !== undefined ? ['a'.repeat(maxLength + 1)] : []),
    ...(isText && pattern !== undefined ? ['', ' \t', 'a\0'] : []),
    ...(isText && rest.enum !== undefined ? ['nothing of these'] : []),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => 'a')]),
    ...((minItems ?? 0) > 0 ? [[]] : []),
    ...(items === undefined ? [] : beyondLimits(items).map((value) => [value])),
    ...(Array.isArray(type) ? [] : [null]),
    {},
  ];
}
