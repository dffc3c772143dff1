import { isScalarType } from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import type { TypedVariable } from './variables.ts';

export interface PageBinding {
  readonly size: string;
  readonly offset?: string;
  readonly cursor?: string;
}

type Role = 'SIZE' | 'OFFSET' | 'CURSOR';

const TYPES: Readonly<Record<Role, readonly string[]>> = { SIZE: ['Int'], OFFSET: ['Int'], CURSOR: ['String', 'ID'] };

/** Compiles the variables that select a page of a list. */
export function compilePaging(variables: readonly TypedVariable[], report: ProblemReport): PageBinding | undefined {
  const byRole = new Map<Role, TypedVariable>();
  for (const variable of variables) {
    const role = useOf(variable.node, 'page')?.values.role;
    if (role === undefined) continue;
    if (byRole.has(role)) report.at(variable.node, `Two variables have the page role ${role}.`, 'Use each role at most once.');
    byRole.set(role, variable);
    checkType(variable, role, report);
  }
  const [size, offset, cursor] = (['SIZE', 'OFFSET', 'CURSOR'] as const).map((role) => byRole.get(role));
  const any = size ?? offset ?? cursor;
  if (any === undefined) return undefined;
  if (size === undefined || (offset === undefined && cursor === undefined)) {
    report.at(
      any.node,
      'Pagination needs a page size and a start position.',
      'Give one variable the role SIZE, and add a variable with the role OFFSET, CURSOR, or one for each.',
    );
    return undefined;
  }
  return {
    size: size.name,
    ...(offset === undefined ? {} : { offset: offset.name }),
    ...(cursor === undefined ? {} : { cursor: cursor.name }),
  };
}

function checkType({ node, nullable, isRequired }: TypedVariable, role: Role, report: ProblemReport): void {
  if (!isScalarType(nullable) || !TYPES[role].includes(nullable.name)) {
    report.at(
      node,
      `$${node.variable.name.value} has the page role ${role}, which requires the type ${TYPES[role].join(' or ')}.`,
      'Change the type of the variable.',
    );
  } else if (role !== 'SIZE' && isRequired) {
    report.at(
      node,
      `The variable with the page role ${role} must be nullable, because a client sends either an offset or a cursor.`,
      'Remove the `!`.',
    );
  }
}
