import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { filesIn } from './find-supergraphs.ts';

/** A plan that a test of another project expects. */
export interface ExpectedPlan {
  /** Test file and function. */
  readonly name: string;
  /** Path of the supergraph file, relative to the directory of all repositories. */
  readonly file: string;
  readonly sdl: string;
  readonly operation: string;
  /** Plan as the project prints it. */
  readonly plan: string;
}

const HIVE_TESTS = 'graphql-hive/router/bin/router/src/query_planner/tests';
const HIVE_FIXTURES = 'graphql-hive/router/bin/router';
const APOLLO_TESTS = 'apollographql/router/apollo-federation/tests/query_plan';

/** Reads the expected plans from the Rust tests of Hive Router and Apollo Router. */
export function readExpectedPlans(directory: string): readonly ExpectedPlan[] {
  return [...readHivePlans(directory), ...readApolloPlans(directory)];
}

function readHivePlans(directory: string): readonly ExpectedPlan[] {
  return testsIn(directory, HIVE_TESTS).flatMap(({ name, body }) => {
    const plans: ExpectedPlan[] = [];
    let operation: string | undefined;
    let file = '';
    let sdl: string | undefined;
    for (const match of body.matchAll(/(@?)r(#+)"([^]*?)"\2|"(fixture\/[^"]+\.graphql)"/g)) {
      const [, snapshot, , text = '', fixture] = match;
      if (fixture !== undefined) {
        file = join(HIVE_FIXTURES, fixture);
        sdl = readIfThere(join(directory, file));
      } else if (snapshot === '') operation = text;
      else if (/^\s*QueryPlan \{/.test(text) && sdl !== undefined && operation !== undefined)
        plans.push({ name, file, sdl, operation, plan: text });
    }
    // Tests with an override context are skipped, because the test chooses the active labels.
    return body.includes('PlannerOverrideContext') ? [] : plans;
  });
}

function readApolloPlans(directory: string): readonly ExpectedPlan[] {
  return testsIn(directory, join(APOLLO_TESTS, 'build_query_plan_tests')).flatMap(({ name, body }) => {
    const file = join(APOLLO_TESTS, 'supergraphs', `${name.slice(name.lastIndexOf(' ') + 1)}.graphql`);
    const sdl = readIfThere(join(directory, file));
    const plans: ExpectedPlan[] = [];
    let operation: string | undefined;
    for (const [, snapshot, , text = ''] of body.matchAll(/(@?)r(#*)"([^]*?)"\2/g)) {
      if (snapshot === '') operation = text;
      else if (/^\s*QueryPlan \{/.test(text) && sdl !== undefined && operation !== undefined)
        plans.push({ name, file, sdl, operation, plan: text });
    }
    return plans;
  });
}

interface RustFunction {
  readonly name: string;
  readonly body: string;
}

function testsIn(directory: string, folder: string): readonly RustFunction[] {
  return filesIn(join(directory, folder), /\.rs$/).flatMap((path) => {
    const [, ...functions] = readFileSync(path, 'utf8').split(/^\s*(?:pub )?(?:async )?fn (?=\w+\()/m);
    return functions.map((text) => ({
      name: `${relative(join(directory, folder), path) || basename(path)} ${/^\w+/.exec(text)?.[0] ?? ''}`,
      body: text,
    }));
  });
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
