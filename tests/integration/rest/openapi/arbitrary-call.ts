import fc from 'fast-check';
import type { Parameter } from '../../../../rest-facade/openapi/openapi-document.ts';
import type { DescribedInterface, DescribedOperation } from '../../../support/description/described-interface.ts';
import type { HttpRequest } from '../../../support/http/http-client.ts';
import { anyJson, arbitraryValue, hostileText } from './arbitrary-value.ts';

/** A request with all of its violations of the description. */
export interface Call {
  /** Undefined when the request uses another method than the described one. */
  readonly operationId?: string | undefined;
  readonly caller: string;
  /** The path may contain placeholders for IDs of objects that the caller has created. See `withCreated`. */
  readonly request: HttpRequest;
  /** Reasons why the request must not succeed. */
  readonly wrong: readonly string[];
}

/** Weight of an undescribed choice. It is 0 in a tame call. */
type Odd = (weight: number) => number;

/** A part of a call: its contribution to the request and its violation. */
interface Part<T> {
  readonly value: T;
  readonly wrong?: string | undefined;
}

type Arbitrary<T> = fc.Arbitrary<Part<T>>;

const CREATED = /([^/]+)\/\{created\.(\d+)\}/g;

/** Replaces the placeholders of a path by IDs that were created last in a collection such as `orders`, or by 1. */
export function withCreated(path: string, idsOf: (collection: string) => readonly string[]): string {
  return path.replaceAll(CREATED, (_place, collection: string, last: string) => {
    const ids = idsOf(collection);
    return `${collection}/${ids.at(-1 - Number(last)) ?? '1'}`;
  });
}

const right = <T>(value: T): Part<T> => ({ value });

/** Generates one call of one of the operations. Most components match the description, but most calls also violate it. */
export function arbitraryCall(described: DescribedInterface, callersOf: (method: string) => readonly string[]): fc.Arbitrary<Call> {
  return fc
    .tuple(fc.constantFrom(...described.operations), fc.boolean())
    .chain(([operation, isTame]) => callOf(operation, { described, callersOf, isTame }));
}

interface PartContext {
  readonly described: DescribedInterface;
  readonly odd: Odd;
}

interface CallContext {
  readonly described: DescribedInterface;
  readonly callersOf: (method: string) => readonly string[];
  /** Whether the whole call matches the description. */
  readonly isTame: boolean;
}

function callOf(at: DescribedOperation, { described, callersOf, isTame }: CallContext): fc.Arbitrary<Call> {
  const { operation, method } = at;
  const odd: Odd = (weight) => (isTame ? 0 : weight);
  const parameters = (operation.parameters ?? []).map(described.parameter);
  const inPlace = (position: Parameter['in']) => parameters.filter((parameter) => parameter.in === position);
  return fc
    .record({
      method: arbitraryMethod(method, odd),
      root: fc.constantFrom(...described.document.servers.map(({ url }) => (url === '/' ? '' : url))),
      path: arbitraryPath(at.path, inPlace('path'), { described, odd }),
      query: arbitraryQuery(inPlace('query'), { described, odd }),
      headers: arbitraryHeaders(inPlace('header'), { described, odd }),
      accept: arbitraryAccept(operation.responses[firstSuccess(at)], { described, odd }),
      credentials: arbitraryCredentials(callersOf(method), odd),
      body: arbitraryBody(at, { described, odd }),
    })
    .map(({ method: sent, root, path, query, headers, accept, credentials, body }): Call => {
      const search = query.value === '' ? '' : `?${query.value}`;
      const isRead = sent === 'GET' || sent === 'HEAD';
      // The health endpoint accepts any query, because probes add parameters that prevent caching.
      const parts = at.path === '/health' ? [path, headers, body] : [path, query, headers, body];
      const isDescribed = sent === method.toUpperCase();
      return {
        operationId: isDescribed ? operation.operationId : undefined,
        caller: credentials.caller,
        request: {
          method: sent,
          path: `${root}${path.value}${search}`,
          headers: { ...headers.value, ...accept, ...credentials.headers, ...(isRead ? {} : body.value.headers) },
          ...(isRead || body.value.text === undefined ? {} : { body: body.value.text }),
        },
        // Another method is another operation or none, so a violation here may be valid there.
        wrong: isDescribed ? parts.flatMap(({ wrong }) => (wrong === undefined ? [] : [wrong])) : [],
      };
    });
}

/** Generates the described method, and sometimes HEAD, OPTIONS or an unsupported method. */
function arbitraryMethod(method: string, odd: Odd): fc.Arbitrary<string> {
  const own = fc.constant(method.toUpperCase());
  const others = fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'GET', 'PURGE', 'DELETE');
  return fc.oneof({ arbitrary: own, weight: 12 }, { arbitrary: others, weight: odd(1) });
}

function arbitraryPath(template: string, parameters: readonly Parameter[], { described, odd }: PartContext): Arbitrary<string> {
  const values = fc.tuple(
    ...parameters.map(({ schema }) =>
      fc.oneof(
        { arbitrary: fc.integer({ min: 1, max: 60 }).map(String), weight: 3 },
        { arbitrary: fc.nat({ max: 3 }).map((last) => `{created.${last}}`), weight: 3 },
        { arbitrary: fc.oneof(arbitraryValue(schema, described.document).map(String), hostileText).map(encode), weight: odd(2) },
      ),
    ),
  );
  return values.map((texts) => {
    const path = parameters.reduce((text, { name }, index) => text.replace(`{${name}}`, () => texts[index] ?? ''), template);
    return right(path);
  });
}

function arbitraryQuery(parameters: readonly Parameter[], { described, odd }: PartContext): Arbitrary<string> {
  const known = parameters.map((parameter) =>
    fc.oneof(
      { arbitrary: fc.constant(right('')), weight: 15 },
      { arbitrary: arbitraryValue(parameter.schema, described.document).map((value) => right(pair(parameter.name, value))), weight: 2 },
      { arbitrary: hostileText.map((text) => wrongParameter(parameter, text)), weight: odd(1) },
    ),
  );
  const unknown: Arbitrary<string> = fc.oneof(
    { arbitrary: fc.constant(right('')), weight: 9 },
    { arbitrary: fc.constant({ value: 'surprise=1', wrong: 'an unknown parameter' }), weight: odd(1) },
  );
  return fc.tuple(...known, unknown).map((parts) => ({
    value: parts.flatMap(({ value }) => (value === '' ? [] : [value])).join('&'),
    wrong: parts.find(({ wrong }) => wrong !== undefined)?.wrong,
  }));
}

function wrongParameter({ name, schema: { type, items, enum: values } }: Parameter, text: string): Part<string> {
  const listed = items?.enum ?? values;
  const isForeign = type === 'array' && listed !== undefined && !text.split(',').every((part) => listed.includes(part));
  const isNoCount = type === 'integer' && !/^-?\d+$/.test(text);
  return { value: pair(name, text), wrong: isForeign || isNoCount ? `${name} with an invalid value` : undefined };
}

function pair(name: string, value: unknown): string {
  return `${name}=${Array.isArray(value) ? value.map((part) => encode(String(part))).join(',') : encode(String(value))}`;
}

/** Encodes a path or query value. Lone surrogates have no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

type Headers = Readonly<Record<string, string>>;

function arbitraryHeaders(parameters: readonly Parameter[], { described, odd }: PartContext): Arbitrary<Headers> {
  const each = parameters.map((parameter): fc.Arbitrary<Part<Headers>> => {
    const value = (text: string): Part<Headers> => right({ [parameter.name]: headerText(text) });
    const absent = { value: {}, wrong: parameter.required === true ? `no ${parameter.name}` : undefined };
    return fc.oneof(
      { arbitrary: parameter.required === true ? fc.uuid().map(value) : fc.constant(absent), weight: 8 },
      { arbitrary: arbitraryValue(parameter.schema, described.document).map((text) => value(String(text))), weight: odd(2) },
      { arbitrary: hostileText.map(value), weight: odd(1) },
      { arbitrary: fc.constant(absent), weight: odd(1) },
    );
  });
  return fc.tuple(...each).map((parts) => ({
    value: Object.assign({}, ...parts.map(({ value }) => value)) as Headers,
    wrong: parts.find(({ wrong }) => wrong !== undefined)?.wrong,
  }));
}

/** Replaces the characters that Node rejects in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]/g, '?');
}

function firstSuccess({ operation }: DescribedOperation): string {
  return Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '';
}

function arbitraryAccept(
  success: Parameters<DescribedInterface['response']>[0] | undefined,
  { described, odd }: PartContext,
): fc.Arbitrary<Headers> {
  const types = success === undefined ? [] : Object.keys(described.response(success).content ?? {});
  const others = [
    '*/*',
    'application/*',
    'text/html',
    'application/problem+json',
    'application/json;q=0, */*',
    'x',
    ',,;q=',
    'application/xml',
  ];
  return fc.oneof(
    { arbitrary: fc.constant({}), weight: 10 },
    { arbitrary: fc.constantFrom('*/*', ...types).map((accept) => ({ accept })), weight: 6 },
    { arbitrary: fc.constantFrom(...others).map((accept) => ({ accept })), weight: odd(1) },
    { arbitrary: hostileText.map((text) => ({ accept: headerText(text) })), weight: odd(1) },
  );
}

interface Credentials {
  readonly caller: string;
  readonly headers: Headers;
}

const BAD_CREDENTIALS: readonly Headers[] = [
  { authorization: 'Bearer x.y.z' },
  { authorization: 'Basic bm9ib2R5Onh4' },
  { authorization: 'Basic %%%' },
  { authorization: 'Negotiate abc' },
  { 'x-api-key': 'nobody' },
  { authorization: '' },
];

function arbitraryCredentials(callers: readonly string[], odd: Odd): fc.Arbitrary<Credentials> {
  const known = fc.constantFrom(...callers).map((caller): Credentials => ({ caller, headers: {} }));
  const bad = fc.constantFrom(...BAD_CREDENTIALS).map((headers): Credentials => ({ caller: 'somebody', headers }));
  return fc.oneof({ arbitrary: known, weight: 14 }, { arbitrary: bad, weight: odd(1) });
}

interface Body {
  readonly text?: string;
  readonly headers: Headers;
}

function arbitraryBody({ operation: { requestBody } }: DescribedOperation, { described, odd }: PartContext): Arbitrary<Body> {
  if (requestBody === undefined) return fc.constant(right({ headers: {} }));
  const [type = '', { schema = {} } = {}] = Object.entries(requestBody.content)[0] ?? [];
  const types = Object.keys(requestBody.content);
  const valid = arbitraryValue(schema, described.document) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
  const json = (value: unknown, contentType = type): Body => ({ text: JSON.stringify(value), headers: { 'content-type': contentType } });
  return fc.oneof(
    { weight: 10, arbitrary: fc.tuple(valid, fc.constantFrom(...types)).map(([value, contentType]) => right(json(value, contentType))) },
    { weight: odd(2), arbitrary: valid.map((value) => ({ value: json({ ...value, surprise: 1 }), wrong: 'an unknown field' })) },
    { weight: odd(3), arbitrary: fc.tuple(valid, anyJson, fc.nat()).map(([value, odd, index]) => right(json(withOdd(value, odd, index)))) },
    { weight: odd(1), arbitrary: anyJson.map((value) => right(json(value))) },
    {
      weight: odd(1),
      arbitrary: hostileText.map(
        (text): Part<Body> => ({
          value: { text: `{${text}`, headers: { 'content-type': type } },
          wrong: text === '}' ? undefined : 'malformed JSON',
        }),
      ),
    },
    { weight: odd(1), arbitrary: valid.map((value) => ({ value: json(value, 'text/plain'), wrong: 'another media type' })) },
    { weight: odd(1), arbitrary: fc.constant<Part<Body>>({ value: { headers: {} }, wrong: 'no body' }) },
  );
}

function withOdd(value: Readonly<Record<string, unknown>>, odd: unknown, index: number): unknown {
  const names = Object.keys(value);
  const name = names[index % Math.max(1, names.length)];
  return name === undefined ? odd : { ...value, [name]: odd };
}
