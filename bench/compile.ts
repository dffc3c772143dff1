/**
 * Measures the CPU time that the main thread spends on an operation it sees for the first time, except for planning. Ends with exit code 1
 * when a step blocks the event loop for longer than the limit with an operation within the default limits.
 *
 * The step `prepare` includes admission, validation, canonical form, cost, cache policy and authorization. `rewrite` rewrites the operation
 * for a caller without permissions. `receive` reads the plan from the planner thread. `compile` compiles it. `shapes` compiles all response
 * shapes that responses can need and counts them. Deeper operations are measured with a higher limit, without a goal. The time of `shapes`
 * is an upper bound, because the gateway compiles a shape when the first value of its type arrives.
 *
 * Duration: about 2 minutes
 *
 * COMPILE_ONLY: part of the name of a shape.
 */
import { compileOperation } from '../gateway/execution/compile-operation.ts';
import { rulesFor } from '../gateway/composition/build-generation.ts';
import { compileAuthorization } from '../gateway/authorization/operation-authorization.ts';
import { createAccessRules } from '../gateway/authorization/access-rules.ts';
import { createCachePolicyCompiler } from '../gateway/cache/compile-cache-policy.ts';
import { gatewayConfig } from '../gateway/config/sections.ts';
import { compilePlan } from '../gateway/execution/plan/compile-plan.ts';
import { fragmentsOf, selectOperation } from '../gateway/operation/select-operation.ts';
import { compileResponseShape } from '../gateway/execution/response/shape/compile-response-shape.ts';
import type { ObjectShape, ValueShape } from '../gateway/execution/response/shape/response-shape.ts';
import { type CompileInput, createGeneration } from '../gateway/generation/create-generation.ts';
import type { Generation } from '../gateway/generation/generation.ts';
import { bytesOfVariant } from '../gateway/generation/retained-bytes.ts';
import { createAdmission } from '../gateway/operation/limits/admit-document.ts';
import { OperationRejected } from '../gateway/operation/operation-rejected.ts';
import { createQueryPlanner } from '../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../gateway/planning/operation-plan.ts';
import type { QueryPlanner } from '../gateway/planning/query-planner.ts';
import { GatewayError } from '../gateway/platform/errors.ts';
import { silentLogger } from '../gateway/platform/logger.ts';
import { type LoadedSupergraph, loadSupergraph } from '../gateway/supergraph/load-supergraph.ts';
import { compileShapes } from './compile/shapes.ts';
import type { PlannerOperation, PlannerShape } from './planner/shapes.ts';

/** Maximum time without returning to the event loop. @unit milliseconds */
const LONGEST_STEP_MS = 50;

/** Maximum number of response shapes that are counted. Shapes are compiled while a response is printed. @unit shapes */
const MAX_SHAPES = 20_000;

/** Number of rounds. The minimum counts, because V8 compiles code that runs for the first time. */
const ROUNDS = 5;

/** A step that takes longer than this is not measured again. @unit milliseconds */
const HOPELESS_MS = 500;

const STEPS = ['prepare', 'rewrite', 'receive', 'compile', 'shapes'] as const;
type Step = (typeof STEPS)[number];

interface Measured {
  readonly times: Record<Step, number>;
  shapes: number;
  result: string;
}

const config = gatewayConfig.parse({});
const limits = { ...config.limits, maxDepth: Math.max(config.limits.maxDepth, 24) };

/** Measures operations on one supergraph, each as if it were the first. */
class Bench {
  readonly #loaded: LoadedSupergraph;
  readonly #planner: QueryPlanner;
  readonly #plans = new Map<string, OperationPlan>();
  #current: Measured = emptyMeasured();
  #began = 0;

  constructor(sdl: string) {
    this.#loaded = loadSupergraph(sdl);
    this.#planner = createQueryPlanner(sdl);
  }

  /** Opens a generation that records its times in `#current`. */
  #open(): Generation {
    const loaded = this.#loaded;
    const rules = rulesFor(loaded);
    const access = rules && createAccessRules(loaded.schema, rules);
    return createGeneration({
      loaded,
      planner: {
        plan: async (input) => {
          this.#add('rewrite');
          const plan = this.#plans.get(input.document) ?? this.#planner.plan(input);
          this.#plans.set(input.document, plan);
          this.#began = computed();
          const received = structuredClone(plan); // Simulates the message from the planner thread.
          this.#add('receive');
          return received;
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
      executor: Object.assign(async () => ({ data: {} }), { [Symbol.asyncDispose]: async () => undefined }),
      compile: (input) => this.#compile(input),
      cachePolicyOf: createCachePolicyCompiler({ schema: loaded.schema, hints: loaded.cacheHints, authorization: new Set() }),
      authorizationOf: (document) => access && compileAuthorization(loaded.schema, access, document, selectOperation(document)),
      settings: { ...config.graphql, isSchemaShown: true, limits },
      logger: silentLogger,
    });
  }

  #add(step: Step): void {
    const now = computed();
    this.#current.times[step] += now - this.#began;
    this.#began = now;
  }

  #compile(input: CompileInput): ReturnType<typeof compileOperation> {
    this.#began = computed();
    const executable = compileOperation(input);
    bytesOfVariant(input.plan, '');
    this.#add('compile');
    const { plan, schema, document, operation, conditions, access } = input;
    const { sharedPaths } = compilePlan({ plan, isInterface: () => false, clientVariables: new Set() });
    const scope = { schema, fragments: fragmentsOf(document), conditions, deferrals: new Map() };
    this.#began = computed();
    const shape = compileResponseShape({ ...scope, operation, keys: plan.keys, sharedPaths, guarded: access?.guarded });
    this.#current.shapes = countShapes(shape);
    this.#add('shapes');
    return executable;
  }

  async measure(text: string): Promise<Measured> {
    this.#current = emptyMeasured();
    await using generation = this.#open();
    try {
      this.#began = computed();
      const operation = generation.prepareOperation(text);
      const variables = operation.coerceVariables({});
      operation.cost(variables);
      this.#add('prepare');
      await operation.executable(variables, [], operation.isDeferred?.(variables) === true);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.#current.result = `${error.code}: ${error.message.slice(0, 60)}`;
    }
    return this.#current;
  }
}

function emptyMeasured(): Measured {
  return { times: { prepare: 0, rewrite: 0, receive: 0, compile: 0, shapes: 0 }, shapes: 0, result: '' };
}

/** Compiles the shapes of all types at all positions, each once, and returns their number. */
function countShapes(root: ValueShape): number {
  const seen = new Set<ObjectShape>();
  const waiting: ValueShape[] = [root];
  for (let shape = waiting.pop(); shape !== undefined && seen.size < MAX_SHAPES; shape = waiting.pop()) {
    if (shape.item !== undefined) waiting.push(shape.item);
    for (const object of shape.objects?.all() ?? []) {
      if (seen.has(object)) continue;
      seen.add(object);
      for (const { value } of [...object.fields, ...(object.deferred?.fragments ?? [])]) waiting.push(value);
    }
  }
  return seen.size;
}

/**
 * Returns the CPU time of this process. It is only slightly more than that of this thread, because V8 collects garbage and compiles in
 * other threads.
 *
 * @unit milliseconds
 */
function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

const admitByDefault = createAdmission({ maxTokens: config.graphql.maxTokens, limits: config.limits });
const missed: string[] = [];

function isWithinLimits(document: string): boolean {
  try {
    return admitByDefault(document) !== undefined;
  } catch (error) {
    if (error instanceof OperationRejected) return false;
    throw error;
  }
}

async function measureOperation(bench: Bench, shape: PlannerShape, operation: PlannerOperation): Promise<void> {
  const least = await bench.measure(operation.document);
  for (let round = 1; round < ROUNDS && STEPS.every((step) => least.times[step] < HOPELESS_MS); round += 1) {
    const { times } = await bench.measure(operation.document);
    for (const step of STEPS) least.times[step] = Math.min(least.times[step], times[step]);
  }
  const where = `${shape.name}: ${operation.name}`;
  const figures = STEPS.map((step) => least.times[step].toFixed(1).padStart(9)).join('');
  process.stdout.write(`${where.padEnd(72)}${figures}${String(least.shapes).padStart(9)}  ${least.result}\n`);
  for (const step of isWithinLimits(operation.document) ? STEPS : []) {
    if (least.times[step] > LONGEST_STEP_MS) missed.push(`${where}: ${step} took ${least.times[step].toFixed(1)} ms`);
  }
  if (least.shapes >= MAX_SHAPES) missed.push(`${where}: more than ${MAX_SHAPES} shapes`);
}

const only = process.env['COMPILE_ONLY'] ?? '';
process.stdout.write(`${'CPU time in ms'.padEnd(72)}${[...STEPS, 'number'].map((step) => step.padStart(9)).join('')}\n`);
for (const shape of compileShapes().filter(({ name }) => name.includes(only))) {
  const bench = new Bench(shape.supergraphSdl);
  for (const operation of shape.operations) await measureOperation(bench, shape, operation);
}
process.stdout.write(
  missed.length === 0 ? `\nNo step takes longer than ${LONGEST_STEP_MS} ms.\n` : `\nMissed limits:\n${missed.join('\n')}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
