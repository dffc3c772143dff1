/**
 * Layers of the gateway, from the lowest step to the highest. A layer can import only layers of lower steps; layers on one step do not
 * import each other. `.dependency-cruiser.js` derives the import rules from this list, and `npm run generate` derives the drawing in
 * ARCHITECTURE.md.
 */
export const GATEWAY_LAYERS = [
  ['platform'],
  ['subgraph-identity'],
  ['config', 'directives'],
  ['hooks', 'redis', 'connectors'],
  ['supergraph'],
  ['operation'],
  ['authorization'],
  ['planning', 'subgraph-client'],
  ['auth', 'budget', 'cache', 'connector-client', 'execution', 'idempotency', 'persisted'],
  ['generation'],
  ['pipeline'],
  ['subscriptions'],
  ['http'],
  ['telemetry'],
  ['composition'],
  ['apollo-server'],
];

/** Layers of the REST facade, in the same order. */
export const REST_LAYERS = [
  ['compile', 'executors'],
  ['request', 'scaffold'],
  ['errors'],
  ['response'],
  ['openapi'],
  ['http', 'openapi/http'],
];

/** @typedef {{ readonly layer: string, readonly forbidden: readonly string[] }} OrderedLayer */

/**
 * Lists each layer with the layers that it may not import: the other layers of its step, and those of higher steps.
 *
 * @param {readonly (readonly string[])[]} steps
 * @returns {readonly OrderedLayer[]}
 */
export function orderOf(steps) {
  return steps.flatMap((layers, step) =>
    layers.map((layer) => ({ layer, forbidden: [...layers.filter((other) => other !== layer), ...steps.slice(step + 1).flat()] })),
  );
}

/** Maximum line length of the drawing. @unit characters */
const MAX_LINE = 120;

/**
 * Draws both lists of layers: `a ← b` means that `b` may import `a`, and `a · b` that neither imports the other.
 *
 * @returns {string}
 */
export function drawLayers() {
  const parts = [
    ['gateway', GATEWAY_LAYERS],
    ['rest-facade', REST_LAYERS],
  ];
  const indent = Math.max(...parts.map(([name]) => name.length)) + 2;
  return parts
    .map(([name, steps]) => {
      const lines = [name.padEnd(indent)];
      for (const [index, layers] of steps.entries()) {
        const text = `${index === 0 ? '' : ' ← '}${layers.join(' · ')}`;
        const last = lines.length - 1;
        if (lines[last].length + text.length <= MAX_LINE) lines[last] += text;
        else lines.push(`${' '.repeat(indent - 1)}${text}`);
      }
      return lines.join('\n');
    })
    .join('\n');
}
