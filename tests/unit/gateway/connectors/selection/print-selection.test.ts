import { expect, it } from '@jest/globals';
import type { ConnectVersion } from '../../../../../gateway/connectors/connect-version.ts';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import { printSelection } from '../../../../../gateway/connectors/selection/print-selection.ts';

it.each<[ConnectVersion, string, string]>([
  ['0.1', '$({ b: b })', '$({ b: b })'],
  ['0.3', 'x: $({ b: b }) { b: b }', 'x: $({ b: b }) { b }'],
  ['0.4', '$({ b: b })', '$({ b })'],
])('prints the properties of literals with names where version %s requires them: %s', (version, text, printed) => {
  expect(printSelection(parseSelection(text, version), version)).toBe(printed);
  expect(printSelection(parseSelection(printed, version), version)).toBe(printed);
});
