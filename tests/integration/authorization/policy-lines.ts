import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import type { Oracle } from '../../fixtures/authorization/oracle.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import type { AccessCase } from './access-paths.ts';
import { queryInProcess, runMatrix } from './run-matrix.ts';

/** One use of an authorization directive in a supergraph. */
export interface PolicyLine {
  /** Coordinate and directive, such as `User.email @auth(requires: ADMIN, orOwner: "id")`. */
  readonly name: string;
  readonly coordinate: string;
  readonly start: number;
  readonly end: number;
}

const RULE = /@(?:auth|authenticated|requiresScopes|policy)\b(?:\((?:[^()"]|"[^"]*")*\))?/g;

/**
 * Finds every authorization rule in the text of a supergraph. It reads the text only, so that the parser of the gateway cannot affect the
 * result.
 */
export function findPolicyLines(sdl: string): readonly PolicyLine[] {
  const lines: PolicyLine[] = [];
  for (const { 0: rule, index } of sdl.matchAll(RULE)) {
    const before = sdl.slice(0, index);
    if (/^\s*directive\b.*$/.test(before.slice(before.lastIndexOf('\n') + 1))) continue;
    const header = [...before.matchAll(/^(?:type|interface|scalar|enum) (\w+)/gm)].at(-1);
    if (header?.[1] === undefined) continue; // This match is a link of the schema, not a rule.
    const content = before.slice(header.index);
    const [, field] = content.includes('{') ? ([...content.matchAll(/^ {2}(\w+)(?:\(|:)/gm)].at(-1) ?? []) : [];
    const coordinate = field === undefined ? header[1] : `${header[1]}.${field}`;
    lines.push({ name: `${coordinate} ${rule}`, coordinate, start: index, end: index + rule.length });
  }
  return lines;
}

/** Returns the supergraph without some of its rules. */
export function withoutLines(sdl: string, lines: readonly PolicyLine[]): string {
  return lines
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), sdl);
}

/** Everything that is needed to distinguish a gateway with another supergraph from one that enforces the policy. */
export interface Examination {
  readonly graph: GuardedGraph;
  readonly oracle: Oracle;
  readonly cases: readonly AccessCase[];
  readonly callers: readonly Caller[];
}

/**
 * Returns the first difference that the matrix finds: a response, a subgraph request, or a supergraph that is not served. Undefined without
 * a difference.
 */
export async function findDifference(supergraphSdl: string, examination: Examination): Promise<string | undefined> {
  const { graph, callers } = examination;
  const started = await startGuardedGateway({ ...graph, supergraphSdl }, callers).catch((error: unknown) => String(error));
  if (typeof started === 'string') return started;
  await using gateway = started;
  const { mismatches } = await runMatrix({ ...examination, request: queryInProcess(gateway), maxMismatches: 1 });
  const [mismatch] = mismatches;
  return mismatch && `${mismatch.caller}: ${mismatch.text}: ${mismatch.problems[0] ?? ''}`;
}
