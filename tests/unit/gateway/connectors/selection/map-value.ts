import type { ConnectVersion } from '../../../../../gateway/connectors/connect-version.ts';
import { compileSelection } from '../../../../../gateway/connectors/selection/compile-selection.ts';
import type { SelectionProblem, MappingVariables } from '../../../../../gateway/connectors/selection/compiled-mapping.ts';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';

/** Maps data and returns the result and the problems. */
export function mapValue(
  text: string,
  data: unknown,
  variables: MappingVariables = {},
  version: ConnectVersion = '0.3',
): { readonly value: unknown; readonly problems: readonly SelectionProblem[] } {
  const problems: SelectionProblem[] = [];
  const value = compileSelection(parseSelection(text, version))(data, variables, problems);
  return { value, problems };
}
