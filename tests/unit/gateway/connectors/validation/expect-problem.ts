import { expect } from '@jest/globals';
import { parse, Source } from 'graphql';
import { validateConnectors } from '../../../../../gateway/connectors/validation/validate-connectors.ts';

const schemaWith = (version: string) => `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.13", import: ["@key", "@external"])
  @link(url: "https://specs.apollo.dev/connect/v${version}", import: ["@connect", "@source"])
  @source(name: "shop", http: { baseURL: "http://shop.test" })
`;

/** Marks the position of a mistake in a schema. */
const MARKER = '¶';

interface Found {
  readonly code: string;
  readonly message: string;
  /** Whether the first location is the marked one. */
  readonly isAtMarker: boolean;
}

/** Returns the mistakes of a schema that links the connect specification and has the source `shop`. */
export function problemsIn(sdl: string, version = '0.3'): readonly Found[] {
  const marked = `${schemaWith(version)}${sdl}`;
  const [before = ''] = marked.split(MARKER);
  const lines = before.split('\n');
  const expected = { file: 'shop.graphql', line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const document = parse(new Source(marked.replace(MARKER, ''), 'shop.graphql'));
  return validateConnectors('shop', document).map(({ code, message, locations: [first] }) => ({
    code,
    message,
    isAtMarker: first?.file === expected.file && first.line === expected.line && first.column === expected.column,
  }));
}

/** Expects exactly one mistake, at the marker. */
export function expectProblem(sdl: string, code: string, message: string, version?: string): void {
  expect(problemsIn(sdl, version)).toEqual([{ code, message: expect.stringContaining(message), isAtMarker: true }]);
}
