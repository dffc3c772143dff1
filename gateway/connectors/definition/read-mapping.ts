import type { ConstValueNode } from 'graphql';
import type { ConnectVersion } from '../connect-version.ts';
import { MappingSyntaxError } from '../selection/mapping-syntax-error.ts';
import { parseSelection } from '../selection/parse-selection.ts';
import type { ConnectorProblemCode } from './connector-problem.ts';
import type { LocatedMapping } from './located-connector.ts';
import { readString } from './read-values.ts';
import type { ReportProblem } from './report-problem.ts';

/** Version and reporter that all readers of a subgraph share. */
export interface ReadContext {
  readonly version: ConnectVersion;
  readonly report: ReportProblem;
}

/** Reads a string with a mapping. Returns undefined without a value, and reports an empty or invalid mapping with the given code. */
export function readMapping(
  value: ConstValueNode | undefined,
  where: string,
  code: ConnectorProblemCode,
  { version, report }: ReadContext,
): LocatedMapping | undefined {
  const text = readString(value, where, report);
  if (text === undefined) return undefined;
  if (text.value.replaceAll(/#[^\n]*/g, '').trim() === '') {
    report(code, `${where} is empty, but must contain a mapping.`, text);
    return undefined;
  }
  try {
    return { mapping: parseSelection(text.value, version), text };
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    report(code, `${where} is not a valid mapping: ${error.message}.`, { text, offset: error.offset });
    return undefined;
  }
}
