import { describe, expect, it } from '@jest/globals';
import { ConnectorRequestInvalid } from '../../gateway/connectors/template/connector-request-invalid.ts';
import { compileConnectorHeaders } from '../../gateway/connectors/template/compile-headers.ts';
import { compileUrl } from '../../gateway/connectors/template/compile-url.ts';
import { parseTemplate } from '../../gateway/connectors/template/parse-template.ts';
import { parseUrlTemplate } from '../../gateway/connectors/template/parse-url-template.ts';
import { parseSelection } from '../../gateway/connectors/selection/parse-selection.ts';
import { createRandom, type Random } from '../support/random/random.ts';

const VALUES = Number(process.env['CONNECTOR_VALUES'] ?? 10_000);
const SEED = Number(process.env['CONNECTOR_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const VERSION = '0.3';

/** Texts that change the meaning of a URL or a header if they are not encoded. */
const HOSTILE = [
  '/',
  '\\',
  '.',
  '..',
  '../',
  '..\\',
  '//',
  '///evil.test',
  '@evil.test',
  ':80',
  'http://evil.test',
  'javascript:',
  '?',
  '&',
  '=',
  '#',
  '%',
  '%2f',
  '%2e%2e',
  '%5c',
  '%00',
  '%0d%0a',
  '%25',
  '\r',
  '\n',
  '\r\nx-admin: 1',
  '\0',
  '\t',
  ' ',
  '\u007f',
  '\u0085',
  '\u2028',
  ';',
  '|',
  '^',
  '`',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '"',
  "'",
  '+',
  '*',
  '!',
  '(',
  ')',
  ',',
  '~',
  '$',
  'é',
  '\ud800',
  '\udfff',
  '😊',
  '∕',
  '．',
  '＃',
  'a',
  'Z',
  '0',
  '-',
  '_',
  '__proto__',
  'constructor',
];

function hostileText(random: Random): string {
  let text = '';
  for (let length = random.below(6); length >= 0; length -= 1) {
    text += random.chance(0.9) ? random.pick(HOSTILE) : String.fromCodePoint(random.below(0x2_ff_ff));
  }
  return random.chance(0.05) ? '' : text;
}

function hostileValue(random: Random): unknown {
  const kind = random.below(12);
  if (kind === 0) return random.pick([null, true, 1e21, -0.5]);
  return kind === 1 ? random.pick([[hostileText(random)], { a: hostileText(random) }]) : hostileText(random);
}

/** Returns the result, or undefined if the value is refused. Any other error fails the test. */
function unlessRefused<Result>(build: () => Result): Result | undefined {
  try {
    return build();
  } catch (error) {
    if (error instanceof ConnectorRequestInvalid) return undefined;
    throw error;
  }
}

/** Whether a URL has the origin, the segments and the parameters that its template defines, with the values unchanged. */
function isAsWritten(url: URL, x: unknown, y: unknown): boolean {
  const text = (value: unknown): string =>
    (value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(
      /\p{Surrogate}/gu,
      '\uFFFD',
    );
  const [, base, a, segment = '', prefixed = '', c, ...more] = url.pathname.split('/');
  const optional = [x, y].filter((value) => value !== null).length;
  return (
    [url.origin, url.username, url.password, url.hash, base, a, c].join(' ') === 'https://api.test:8443    v1 a c' &&
    more.length === 2 &&
    decodeURIComponent(segment) === text(x) &&
    decodeURIComponent(prefixed) === `b-${text(y)}` &&
    url.search.slice(1).split('&').length === 3 + optional &&
    url.searchParams.get('r') === text(x) + text(y)
  );
}

describe(`requests of connectors with hostile values (CONNECTOR_SEED=${SEED})`, () => {
  const template = (text: string) => parseUrlTemplate(text, VERSION, 'connector');

  it('never leave the origin, or add a segment or a parameter', () => {
    const random = createRandom(SEED);
    const build = compileUrl({
      source: { baseUrl: parseUrlTemplate('https://api.test:8443/v1', VERSION, 'base') },
      http: {
        url: template('/a/{$args.x}/b-{$args.y}/c?p={$args.x}&{$args.y}=q&r={$args.x}{$args.y}'),
        path: parseSelection('$args.path', VERSION),
        queryParams: parseSelection('x: $args.x y: $args.y', VERSION),
      },
    });
    const violations: string[] = [];
    let sent = 0;
    for (let index = 0; index < VALUES; index += 1) {
      const [x, y] = [hostileValue(random), hostileValue(random)];
      const built = unlessRefused(() => build({ $args: { x, y, path: [hostileText(random), hostileText(random)] } }));
      if (built === undefined) continue;
      sent += 1;
      const url = new URL(`${built.origin}${built.target}`);
      const isUnchanged = url.origin === built.origin && `${url.pathname}${url.search}` === built.target && url.hash === '';
      if (!isUnchanged || !isAsWritten(url, x, y)) violations.push(`${JSON.stringify([x, y])} became ${url.href}`);
    }
    expect(violations).toEqual([]);
    expect(sent).toBeGreaterThan(VALUES / 4);
  });

  it('never add a header, or another line', () => {
    const random = createRandom(SEED);
    const header = (name: string, text: string) => ({ name, value: parseTemplate(text, VERSION) });
    const build = compileConnectorHeaders([header('x-a', '{$args.x}')], [header('x-b', 'b {$args.y}'), { name: 'x-c', from: 'x-client' }]);
    const violations: string[] = [];
    let sent = 0;
    for (let index = 0; index < VALUES; index += 1) {
      const variables = { $args: { x: hostileValue(random), y: hostileValue(random) } };
      const headers = unlessRefused(() => build(variables, { 'x-client': hostileText(random), 'x-other': 'x' }));
      if (headers === undefined) continue;
      sent += 1;
      for (const [name, value] of Object.entries(headers)) {
        const isKnown = ['x-a', 'x-b', 'x-c'].includes(name);
        // Node.js reads headers of clients as Latin-1, so a copied value needs no encoding.
        const isByteString = name === 'x-c' || /^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(String(value));
        if (!isKnown || !isByteString || /[^\P{Cc}\t\u0080-\u009F]/u.test(String(value))) violations.push(`${name}: ${String(value)}`);
      }
    }
    expect(violations).toEqual([]);
    expect(sent).toBeGreaterThan(VALUES / 4);
  });
});
