import { Kind, type OperationDefinitionNode, parse, visit } from 'graphql';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type { QueryPlanner } from '../../../gateway/planning/query-planner.ts';
import type { ExpectedPlan } from './expected-plans.ts';
import { NOT_PLANNED, reasonOf } from './known-reasons.ts';
import { measurePlan, measurePrintedPlan } from './measure-plan.ts';
import { type Report, count } from './report.ts';

/** Compares requests and depth of the gateway's plans with the plans that tests expect. */
export function comparePlans(expected: readonly ExpectedPlan[], report: Report): void {
  const planners = new Map<string, QueryPlanner>();
  const counts = new Map<string, number>();
  for (const { name, sdl, operation, plan } of expected) {
    if (/@(defer|stream)\b/.test(operation)) {
      count(counts, 'not compared: @defer and @stream');
      continue;
    }
    try {
      const planner = planners.get(sdl) ?? createQueryPlanner(sdl);
      planners.set(sdl, planner);
      const ours = measurePlan(planner.plan({ document: operation, conditions: conditionsOf(operation), labels: [] }));
      const theirs = measurePrintedPlan(plan);
      count(counts, `requests: ${compare(ours.requests, theirs.requests, ['fewer', 'equal', 'more'])}`);
      count(counts, `depth: ${compare(ours.depth, theirs.depth, ['less', 'equal', 'more'])}`);
      if (ours.requests > theirs.requests || ours.depth > theirs.depth) {
        report.failure('plan', `${name}: ${ours.requests}/${ours.depth}, expected ${theirs.requests}/${theirs.depth}`);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = reasonOf(NOT_PLANNED, message);
      count(counts, `not planned: ${reason ?? 'no known reason'}`);
      if (reason === undefined) report.failure('not planned for no known reason', `${name}: ${message.slice(0, 300)}`);
    }
  }
  report.table('Plans', counts);
}

/** Includes everything: the plan of another project contains all fetches under all conditions. */
function conditionsOf(text: string): Readonly<Record<string, boolean>> {
  const conditions: Record<string, boolean> = {};
  const document = parse(text);
  const operation = document.definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);
  for (const { variable } of operation?.variableDefinitions ?? []) conditions[variable.name.value] = true;
  visit(document, {
    Directive({ name, arguments: given }) {
      const [value] = given?.map((argument) => argument.value) ?? [];
      if (name.value === 'skip' && value?.kind === Kind.VARIABLE) conditions[value.name.value] = false;
    },
  });
  return conditions;
}

function compare(one: number, other: number, [less, equal, more]: readonly [string, string, string]): string {
  return one < other ? less : one > other ? more : equal;
}
