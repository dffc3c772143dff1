/** A use of a variable in the mappings of a connector. */
export interface VariableRead {
  /** Name with the dollar sign. */
  readonly variable: string;
  /** Names of the properties that are read, up to the first other step. */
  readonly path: readonly string[];
}

/** Lists the variables that the mappings in a value read: in a connector, its templates and its expressions. */
export function variableReadsOf(value: unknown): readonly VariableRead[] {
  const reads: VariableRead[] = [];
  visit(value, reads);
  return reads;
}

function visit(value: unknown, reads: VariableRead[]): void {
  if (typeof value !== 'object' || value === null) return;
  const { head, steps } = value as { readonly head?: unknown; readonly steps?: unknown };
  const variable = variableOf(head);
  if (variable !== undefined) reads.push({ variable, path: namesOf(steps) });
  for (const child of Object.values(value)) visit(child, reads);
}

/** Returns the name of the variable with which a path starts. */
function variableOf(head: unknown): string | undefined {
  if (typeof head !== 'object' || head === null) return undefined;
  const { kind, name } = head as { readonly kind?: unknown; readonly name?: unknown };
  return kind === 'variable' && typeof name === 'string' ? name : undefined;
}

function namesOf(steps: unknown): readonly string[] {
  const names: string[] = [];
  for (const step of Array.isArray(steps) ? (steps as readonly { readonly kind?: unknown; readonly name?: unknown }[]) : []) {
    if (step.kind === 'optional') continue;
    if (step.kind !== 'key' || typeof step.name !== 'string') break;
    names.push(step.name);
  }
  return names;
}
