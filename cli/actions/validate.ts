import { compileRules } from '../../gateway/authorization/compile-rules.ts';
import { costModeFor, type LimitMode } from '../../gateway/operation/limits/limit-mode.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { CommandFailed } from '../command-failed.ts';
import { type ServeOptions, readProductConfig } from '../configuration.ts';
import { printJson } from '../json-output.ts';
import { readConfiguredSupergraph } from '../read-supergraph.ts';
import type { Terminal } from '../terminal.ts';
import { checkOperations, type Priced } from '../validate/check-operations.ts';

export interface ValidateOptions extends Pick<ServeOptions, 'config' | 'profile' | 'supergraph'> {
  readonly json?: boolean;
}

/**
 * Checks configuration, REST documents and trusted documents against the supergraph, and prints the maximum cost of each operation.
 *
 * @throws CommandFailed with exit code 1 and every validation error
 * @throws ConfigurationInvalid, SupergraphInvalid
 */
export async function validate(options: ValidateOptions, terminal: Terminal): Promise<void> {
  const config = await readProductConfig(options, { profile: 'production' }, terminal);
  const loaded = loadSupergraph(await readConfiguredSupergraph(config), config.supergraph.file);
  compileRules(loaded.graph, loaded.authorization, undefined, loaded.connectors);
  const { priced, issues } = await checkOperations(config, loaded);
  const { maxCost } = config.limits;
  const costMode = costModeFor(loaded.costRules, config.limits);
  const findings = { valid: issues.length === 0, maxCost, costMode, operations: priced, issues };
  if (options.json === true) printJson(terminal, findings);
  else terminal.print(describe(priced, maxCost, costMode));
  if (issues.length === 0) return;
  const count = issues.length === 1 ? 'Validation failed with 1 error' : `Validation failed with ${issues.length} errors`;
  throw new CommandFailed([`${count}:`, ...issues.map((issue) => `  ${issue}`)].join('\n'));
}

function describe(priced: readonly Priced[], limit: number, costMode: LimitMode): string {
  if (priced.length === 0)
    return 'The configuration and the supergraph are valid. There are no REST documents and no trusted documents to check.';
  const width = Math.max(...priced.map(({ cost }) => String(cost).length));
  const lines = priced.map(({ subject, client, operation, cost, isVarying }) => {
    const beyond = cost > limit ? `  exceeds limits.maxCost (${limit})${isVarying ? ' with the largest pages' : ''}` : '';
    return `${String(cost).padStart(width)}  ${client === undefined ? '' : `${client}  `}${subject}  ${operation}${beyond}`;
  });
  const note =
    costMode === 'measure' && priced.some(({ cost }) => cost > limit)
      ? ['Operations above limits.maxCost are served, because the cost is only measured. To reject them, set limits.modes.cost to enforce.']
      : [];
  return ['Maximum cost of each operation in points, with the largest pages that are allowed:', ...lines, ...note].join('\n');
}
