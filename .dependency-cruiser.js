import { GATEWAY_LAYERS, orderOf, REST_LAYERS } from './cli/tooling/layers.js';

/** Files of the gateway above its layers. */
const PUBLIC_INTERFACE = '^gateway/(gateway|index)\\.ts$';
const APOLLO_SERVER = '^gateway/apollo-server/';

/** Layers that may import the public interface, because they compose the gateway. */
const COMPOSING = new Set(['composition', 'apollo-server']);

const orderOfLayers = orderOf(GATEWAY_LAYERS).flatMap(({ layer, forbidden }) => {
  const paths = [
    ...(forbidden.length > 0 ? [`^gateway/(${forbidden.join('|')})/`] : []),
    ...(COMPOSING.has(layer) ? [] : [PUBLIC_INTERFACE]),
  ];
  if (paths.length === 0) return [];
  return [
    {
      name: `layers-${layer}`,
      comment: `gateway/${layer} may import only lower layers.`,
      severity: 'error',
      from: { path: `^gateway/${layer}/` },
      to: { path: paths },
    },
  ];
});

/** Modules that compose the layers. No layer imports them. */
const REST_ROOT = '^rest-facade/(create-rest-facade|index|read-documents)\\.ts$';

const inRest = (layers) => `^rest-facade/(${layers.map((layer) => (layer === 'openapi' ? 'openapi/(?!http/)' : `${layer}/`)).join('|')})`;

const orderOfRestLayers = orderOf(REST_LAYERS).map(({ layer, forbidden }) => ({
  name: `rest-layers-${layer.replace('/', '-')}`,
  comment: `rest-facade/${layer} may import only lower layers.`,
  severity: 'error',
  from: { path: inRest([layer]) },
  to: { path: [...(forbidden.length > 0 ? [inRest(forbidden)] : []), REST_ROOT] },
}));

const CLOCK_AND_LOGGER = '^gateway/platform/(clock|logger)\\.ts$';

/**
 * Modules of the HTTP platform that the stages may import: readers and writers of header values, and the files with the types of a response
 * and of its content coding. The parser of this checker does not distinguish types from values.
 */
const HTTP_VALUES_AND_TYPES =
  '^gateway/platform/http/(response/(compress|send-response)|request/(event-id|idempotency-key|client-address))\\.ts$';

const pureRestLayers = [
  {
    name: 'rest-pure-compilers',
    comment: 'Routes, drafts and descriptions depend only on documents, schema and settings: no clock, no logger, no I/O, no HTTP.',
    severity: 'error',
    from: { path: inRest(['compile', 'scaffold', 'openapi']) },
    to: { path: [CLOCK_AND_LOGGER, '^gateway/platform/http/', '^(node:)?(fs|net|http|https|child_process|worker_threads|timers)(/|$)'] },
  },
  {
    name: 'rest-pure-stages',
    comment: 'Validation of requests and shaping of results depend only on their arguments: no clock, no logger, no files, no timers.',
    severity: 'error',
    from: { path: inRest(['request', 'errors', 'response']) },
    to: { path: [CLOCK_AND_LOGGER, '^(node:)?(fs|net|child_process|worker_threads|timers)(/|$)'] },
  },
  {
    name: 'rest-http-at-the-edge',
    comment: 'Only the HTTP layer of the facade reads bodies and writes responses. The request context uses the types of both.',
    severity: 'error',
    from: { path: inRest(['request', 'errors', 'response']), pathNot: '^rest-facade/request/request-context\\.ts$' },
    to: { path: '^((node:)?https?$|gateway/platform/http/)', pathNot: HTTP_VALUES_AND_TYPES },
  },
  {
    name: 'rest-files-at-the-edge',
    comment: 'Only the reader of documents and the documentation page read files.',
    severity: 'error',
    from: { path: '^rest-facade/', pathNot: '^rest-facade/(read-documents|openapi/http/docs-page)\\.ts$' },
    to: { path: '^(node:)?fs(/|$)' },
  },
];

const PARTS = ['gateway', 'rest-facade', 'subgraphs', 'cli', 'studio'];

/** Rule for one package of the product and its imports from other packages. */
const mayImport = ({ name, part, allowed = [], comment }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^${part}/` },
  to: { path: `^(${PARTS.filter((other) => other !== part).join('|')})/`, ...(allowed.length > 0 ? { pathNot: allowed } : {}) },
});

const separationOfParts = [
  mayImport({ name: 'gateway-alone', part: 'gateway', comment: 'The gateway imports no package that is built on it.' }),
  {
    name: 'interface-below-the-drop-in',
    comment: 'The Apollo drop-in imports the public interface, not vice versa.',
    severity: 'error',
    from: { path: PUBLIC_INTERFACE },
    to: { path: APOLLO_SERVER },
  },
  mayImport({
    name: 'rest-facade-by-the-interface',
    part: 'rest-facade',
    allowed: ['^gateway/index\\.ts$', '^gateway/platform/'],
    comment: 'The REST facade imports only the public interface and the platform of the gateway.',
  }),
  mayImport({
    name: 'subgraphs-by-the-platform',
    part: 'subgraphs',
    allowed: ['^gateway/(platform|subgraph-identity)/'],
    comment: 'The reference subgraphs import only the platform of the gateway and its verifier of identities, which contain no GraphQL.',
  }),
  {
    name: 'subgraphs-alone',
    comment: 'A subgraph imports only itself and the kit. Only the host of all subgraphs, with its storage and seed, imports several.',
    severity: 'error',
    from: { path: '^subgraphs/(?!kit/|seed/|storage/)([^/]+)/' },
    to: { path: '^subgraphs/[^/]+/', pathNot: ['^subgraphs/kit/', '^subgraphs/$1/'] },
  },
  {
    name: 'kit-below-subgraphs',
    comment: 'The kit imports no subgraph.',
    severity: 'error',
    from: { path: '^subgraphs/kit/' },
    to: { path: '^subgraphs/', pathNot: '^subgraphs/kit/' },
  },
  mayImport({
    name: 'cli-by-the-interface',
    part: 'cli',
    allowed: [
      '^gateway/index\\.ts$',
      // Query plans without a running gateway.
      '^gateway/generation/explain/',
      '^gateway/(platform|config|directives|supergraph|operation|planning|persisted|auth|authorization)/',
      // Requests and mappings of connectors without a running gateway.
      '^gateway/(connectors|connector-client)/',
      // Modules of the Apollo engine, whose Express application the command line creates.
      '^gateway/(apollo-server/(admit-stock-request|create-stock-server|open-stock-listeners)|http/(graphql/http-response|plain-response))\\.ts$',
      // The part of the gateway in the primary process of the workers.
      '^gateway/(composition/open-primary|http/primary/request-worker)\\.ts$',
      // Signatures of requests for the SDL of subgraphs.
      '^gateway/subgraph-client/sign-identity\\.ts$',
      '^rest-facade/(index|config)\\.ts$',
      // The webhook service, which is part of the product.
      '^subgraphs/webhooks/service/',
      // Definitions of the REST directives, from which the reference page is generated.
      '^rest-facade/compile/documents/directives\\.ts$',
      // Definitions of metrics and spans, from which the reference page is generated.
      '^gateway/telemetry/catalog/',
      // Telemetry of the webhook service.
      '^gateway/telemetry/webhooks/open-attempt-recorder\\.ts$',
    ],
    comment: 'The command line uses the public interfaces of the other packages, and starts the reference subgraphs only as a process.',
  }),
  {
    name: 'tests-last',
    comment: 'Only tests and benchmarks import tests.',
    severity: 'error',
    from: { pathNot: '^(tests|bench)/' },
    to: { path: '^tests/' },
  },
];

/** Modules that only the edges may import. */
const edges = [
  {
    name: 'pure-layers',
    comment: 'Results for an operation depend only on its text, the supergraph and the settings: no clock, no logger, no I/O.',
    severity: 'error',
    from: { path: '^gateway/(operation|planning|execution|authorization)/', pathNot: '^gateway/planning/worker/' },
    to: {
      path: [
        '^gateway/platform/(clock|logger)\\.ts$',
        '^gateway/platform/http/',
        '^(node:)?(fs|net|http|https|child_process|worker_threads|timers)(/|$)',
      ],
    },
  },
  {
    name: 'threads-at-the-edge',
    comment: 'Only the planner uses a thread, and only its directory imports worker_threads.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli|subgraphs)/', pathNot: '^gateway/planning/worker/' },
    to: { path: '^(node:)?worker_threads$' },
  },
  {
    name: 'planner-below-its-thread',
    comment: 'The planner does not depend on whether it runs in a thread.',
    severity: 'error',
    from: { path: '^gateway/planning/', pathNot: '^gateway/planning/worker/' },
    to: { path: '^gateway/planning/worker/' },
  },
  {
    name: 'http-at-the-edge',
    comment:
      "Node's http belongs to the platform, to the layers of transports, to telemetry, to streams of subgraphs and to their mocks. Types may be imported anywhere.",
    severity: 'error',
    from: {
      path: '^(gateway|rest-facade|cli|subgraphs)/',
      pathNot: [
        '^gateway/(platform|http|subscriptions|telemetry|apollo-server)/',
        '^gateway/subgraph-client/streams/',
        '^rest-facade/(http/|openapi/http/|request/request-context\\.ts$)',
        '^subgraphs/(kit/server|[^/]+/legacy-backend)/',
        '^cli/dev/mocks/',
      ],
    },
    to: { path: '^((node:)?(http|https|http2)$|gateway/platform/http/node-http\\.ts$)', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'websocket-at-the-edge',
    comment: 'ws and graphql-ws belong to the transports, to the client of subgraphs and to their mocks.',
    severity: 'error',
    from: {
      path: '^(gateway|rest-facade|cli|subgraphs)/',
      pathNot: ['^gateway/(subscriptions|subgraph-client|http)/', '^subgraphs/kit/', '^cli/dev/mocks/'],
    },
    to: { path: 'node_modules/(ws|graphql-ws)/' },
  },
  {
    name: 'redis-at-the-edge',
    comment: 'Only the wrapper that limits the time of commands imports ioredis.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli|subgraphs)/', pathNot: ['^gateway/redis/', '^subgraphs/kit/events/'] },
    to: { path: 'node_modules/ioredis/' },
  },
];

const everywhere = [
  { name: 'no-cycles', comment: 'Files must not import each other in a cycle.', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolvable', comment: 'Every import must resolve.', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'declared-dependencies',
    comment: 'Published code imports only packages in `dependencies` and optional peer dependencies.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli)/', pathNot: '^cli/tooling/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer'] },
  },
  {
    name: 'declared-dependencies-of-subgraphs',
    comment: 'The reference subgraphs are not published and may import any package in package.json.',
    severity: 'error',
    from: { path: '^subgraphs/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...orderOfLayers, ...orderOfRestLayers, ...pureRestLayers, ...separationOfParts, ...edges, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(generated|dist)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
