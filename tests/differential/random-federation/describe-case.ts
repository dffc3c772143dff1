import type { FullCase } from './shrink.ts';

/** Describes a case completely for readers. */
export async function describeCase({ graph, result }: FullCase, title: string): Promise<string> {
  const { request, classification, truth, ours, exchanges } = result;
  const sections = [
    `# ${title}`,
    classification.kind === 'wrong' ? `**${classification.class}**: ${classification.detail}` : '**right**',
    ...graph.federation.subgraphs.map(({ name, sdl }) => `## Subgraph ${name}\n\n${fence('graphql', sdl)}`),
    ...(graph.federation.served?.subgraphs ?? []).map(({ name, sdl }) => `## Subgraph ${name} as served\n\n${fence('graphql', sdl)}`),
    `## Operation\n\n${fence('graphql', request.text)}\n\nVariables: \`${JSON.stringify(request.variables)}\`, labels: \`${request.labels.join(', ')}\``,
    `## Expected\n\n${fence('json', JSON.stringify(truth))}`,
    `## Actual\n\n${fence('json', ours === undefined ? 'no answer' : JSON.stringify(ours))}`,
    `## Subgraph requests\n\n${exchanges.map(({ subgraph, body, response }) => `- ${subgraph}: \`${body}\`\n  - \`${response}\``).join('\n')}`,
    `## Plan\n\n${fence('json', await explain({ graph, result }))}`,
  ];
  return sections.join('\n\n');
}

/** Lists the features that the subgraphs and the operation use: cases with the same features often have one cause. */
export function traitsOf({ graph, result }: FullCase): string {
  const text = graph.federation.subgraphs.map(({ sdl }) => sdl.replaceAll(/extend schema[^)]*\)/gs, '')).join('\n');
  const directives = new Set(Array.from(`${text}${result.request.text}`.matchAll(/@\w+/g), ([name]) => name));
  const kinds = [
    /^interface /m.test(text) ? 'interface' : '',
    /^union /m.test(text) ? 'union' : '',
    result.request.text.startsWith('mutation') ? 'mutation' : '',
  ];
  const difference = result.classification.kind === 'wrong' ? result.classification.class : 'right';
  return [difference, ...[...directives].sort(), ...kinds].filter((item) => item !== '').join(' ');
}

async function explain({ graph, result }: FullCase): Promise<string> {
  try {
    return await graph.engine.explain(result.request);
  } catch (error) {
    return `no plan: ${String(error)}`;
  }
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
