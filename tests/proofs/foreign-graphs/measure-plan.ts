import type { OperationPlan } from '../../../gateway/planning/operation-plan.ts';

/** Size of a plan. */
export interface PlanMeasure {
  readonly requests: number;
  /** Number of requests that wait for one another. */
  readonly depth: number;
}

/** Measures a plan of the gateway. */
export function measurePlan({ fetches }: OperationPlan): PlanMeasure {
  const depths: number[] = [];
  for (const { dependsOn } of fetches) depths.push(1 + Math.max(0, ...dependsOn.map((index) => depths[index] ?? 0)));
  return { requests: fetches.length, depth: Math.max(0, ...depths) };
}

/**
 * Measures a plan as other projects print it: `QueryPlan { Sequence { Fetch(service: "a") { … }, Parallel { … } } }`.
 *
 * @throws Error when the text is not such a plan
 */
export function measurePrintedPlan(text: string): PlanMeasure {
  let position = text.indexOf('QueryPlan');
  if (position < 0) throw new Error('The text is not a query plan.');

  function readNode(): PlanMeasure {
    const [head = '', name = ''] = /^[\s,]*(\w+)(?:\([^{]*\))?:?\s*\{/.exec(text.slice(position)) ?? [];
    if (name === '') throw new Error(`The query plan has an unexpected text at position ${position}.`);
    position += head.length;
    if (name.endsWith('Fetch')) {
      skipBraces();
      return { requests: 1, depth: 1 };
    }
    const inner: PlanMeasure[] = [];
    while (!/^[\s,]*\}/.test(text.slice(position))) inner.push(readNode());
    position += /^[\s,]*\}/.exec(text.slice(position))?.[0].length ?? 0;
    const depths = inner.map(({ depth }) => depth);
    const depth = name === 'Parallel' ? Math.max(0, ...depths) : depths.reduce((sum, each) => sum + each, 0);
    return { requests: inner.reduce((sum, { requests }) => sum + requests, 0), depth };
  }

  /** Moves behind the closing brace of the block that starts before the position. */
  function skipBraces(): void {
    for (let open = 1; open > 0; position += 1) {
      const character = text[position];
      if (character === undefined) throw new Error('A brace of the query plan is not closed.');
      if (character === '{') open += 1;
      else if (character === '}') open -= 1;
      else if (character === '"') position = text.indexOf('"', position + 1);
    }
  }

  return readNode();
}
