import { GATEWAY_LAYERS, orderOf, REST_LAYERS } from './cli/tooling/layers.js';

/** Files of the gateway that stand above its layers. */
const PUBLIC_INTERFACE = '^gateway/(gateway|index)\\.ts$';
const APOLLO_SERVER = '^gateway/apollo-server/';

/** Layers that know what the gateway is made of. */
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
      comment: `gateway/${layer} imports layers below it only: neither those beside it nor those above it.`,
      severity: 'error',
      from: { path: `^gateway/${layer}/` },
      to: { path: paths },
    },
  ];
});

/** What puts the layers together: none of them imports it. */
const REST_ROOT = '^rest-facade/(create-rest-facade|index|read-documents)\\.ts$';

const inRest = (layers) => `^rest-facade/(${layers.map((layer) => (layer === 'openapi' ? 'openapi/(?!http/)' : `${layer}/`)).join('|')})`;

const orderOfRestLayers = orderOf(REST_LAYERS).map(({ layer, forbidden }) => ({
  name: `rest-layers-${layer.replace('/', '-')}`,
  comment: `rest-facade/${layer} imports layers below it only: neither those beside it nor those above it.`,
  severity: 'error',
  from: { path: inRest([layer]) },
  to: { path: [...(forbidden.length > 0 ? [inRest(forbidden)] : []), REST_ROOT] },
}));

const CLOCK_AND_LOGGER = '^gateway/platform/(clock|logger)\\.ts$';

/**
 * Of the platform's HTTP, what the stages may name: readers and writers of header values, and the files that have the types of a response
 * and of its content coding. The parser of this checker does not tell a type from a value.
 */
const HTTP_VALUES_AND_TYPES =
  '^gateway/platform/http/(response/(compress|send-response)|request/(event-id|idempotency-key|client-address))\\.ts$';

const pureRestLayers = [
  {
    name: 'rest-pure-compilers',
    comment: 'Routes, drafts and descriptions follow from documents, schema and settings: no clock, no logger, no I/O, no HTTP.',
    severity: 'error',
    from: { path: inRest(['compile', 'scaffold', 'openapi']) },
    to: { path: [CLOCK_AND_LOGGER, '^gateway/platform/http/', '^(node:)?(fs|net|http|https|child_process|worker_threads|timers)(/|$)'] },
  },
  {
    name: 'rest-pure-stages',
    comment: 'What a request says and how its result is shown follow from their arguments: no clock, no logger, no files, no timers.',
    severity: 'error',
    from: { path: inRest(['request', 'errors', 'response']) },
    to: { path: [CLOCK_AND_LOGGER, '^(node:)?(fs|net|child_process|worker_threads|timers)(/|$)'] },
  },
  {
    name: 'rest-http-at-the-edge',
    comment: 'Below its edge the facade reads no body and writes no response; its context of a request has the types of both.',
    severity: 'error',
    from: { path: inRest(['request', 'errors', 'response']), pathNot: '^rest-facade/request/request-context\\.ts$' },
    to: { path: '^((node:)?https?$|gateway/platform/http/)', pathNot: HTTP_VALUES_AND_TYPES },
  },
  {
    name: 'rest-files-at-the-edge',
    comment: 'Only the reader of documents and the page of the description read files.',
    severity: 'error',
    from: { path: '^rest-facade/', pathNot: '^rest-facade/(read-documents|openapi/http/docs-page)\\.ts$' },
    to: { path: '^(node:)?fs(/|$)' },
  },
];

const PARTS = ['gateway', 'rest-facade', 'subgraphs', 'cli', 'studio'];

/** One part of the product, and what it may import of the others. */
const mayImport = ({ name, part, allowed = [], comment }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^${part}/` },
  to: { path: `^(${PARTS.filter((other) => other !== part).join('|')})/`, ...(allowed.length > 0 ? { pathNot: allowed } : {}) },
});

const separationOfParts = [
  mayImport({ name: 'gateway-alone', part: 'gateway', comment: 'The gateway knows no part that is built on it.' }),
  {
    name: 'interface-below-the-drop-in',
    comment: 'The drop-in imports the public interface, not the other way round.',
    severity: 'error',
    from: { path: PUBLIC_INTERFACE },
    to: { path: APOLLO_SERVER },
  },
  mayImport({
    name: 'rest-facade-by-the-interface',
    part: 'rest-facade',
    allowed: ['^gateway/index\\.ts$', '^gateway/platform/'],
    comment: 'The REST facade sees the gateway through its public interface and its platform only.',
  }),
  mayImport({
    name: 'subgraphs-by-the-platform',
    part: 'subgraphs',
    allowed: ['^gateway/platform/'],
    comment: 'The reference subgraphs know nothing of the gateway but its platform, which knows no GraphQL.',
  }),
  {
    name: 'subgraphs-alone',
    comment: 'A subgraph imports itself and the kit; only what hosts them all, with its storage and seed, knows several.',
    severity: 'error',
    from: { path: '^subgraphs/(?!kit/|seed/|storage/)([^/]+)/' },
    to: { path: '^subgraphs/[^/]+/', pathNot: ['^subgraphs/kit/', '^subgraphs/$1/'] },
  },
  {
    name: 'kit-below-subgraphs',
    comment: 'The kit serves every subgraph and knows none.',
    severity: 'error',
    from: { path: '^subgraphs/kit/' },
    to: { path: '^subgraphs/', pathNot: '^subgraphs/kit/' },
  },
  mayImport({
    name: 'cli-by-the-interface',
    part: 'cli',
    allowed: [
      '^gateway/index\\.ts$',
      '^gateway/(platform|config|supergraph|operation|planning|persisted|auth|authorisation)/',
      // The engine of Apollo, whose Express application the command line puts together.
      '^gateway/(apollo-server/(admit-stock-request|create-stock-server|open-stock-listeners)|http/(graphql/http-response|plain-response))\\.ts$',
      '^rest-facade/(index|config)\\.ts$',
    ],
    comment: 'The command line puts the parts together through their public interfaces, and starts subgraphs only as a process.',
  }),
  {
    name: 'tests-last',
    comment: 'Nothing that is shipped imports a test.',
    severity: 'error',
    from: { pathNot: '^(tests|bench)/' },
    to: { path: '^tests/' },
  },
];

/** What only the edges may name. */
const edges = [
  {
    name: 'pure-layers',
    comment: 'What is made of an operation follows from its text, the supergraph and the settings: no clock, no logger, no I/O.',
    severity: 'error',
    from: { path: '^gateway/(operation|planning|execution|authorisation)/', pathNot: '^gateway/planning/worker/' },
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
    comment: 'Only the planner has a thread of its own, and only its folder knows that.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli|subgraphs)/', pathNot: '^gateway/planning/worker/' },
    to: { path: '^(node:)?worker_threads$' },
  },
  {
    name: 'planner-below-its-thread',
    comment: 'The planner is the same in a thread and without one.',
    severity: 'error',
    from: { path: '^gateway/planning/', pathNot: '^gateway/planning/worker/' },
    to: { path: '^gateway/planning/worker/' },
  },
  {
    name: 'http-at-the-edge',
    comment: "Node's http belongs to the platform, to the layers of transports, and to streams of subgraphs; types may travel.",
    severity: 'error',
    from: {
      path: '^(gateway|rest-facade|cli|subgraphs)/',
      pathNot: [
        '^gateway/(platform|http|subscriptions|apollo-server)/',
        '^gateway/subgraph-client/streams/',
        '^rest-facade/(http/|openapi/http/|request/request-context\\.ts$)',
        '^subgraphs/(kit/server|[^/]+/legacy-backend)/',
      ],
    },
    to: { path: '^(node:)?(http|https|http2)$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'websocket-at-the-edge',
    comment: 'ws and graphql-ws belong to transports and to the upstream client.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli|subgraphs)/', pathNot: ['^gateway/(subscriptions|subgraph-client|http)/', '^subgraphs/kit/'] },
    to: { path: 'node_modules/(ws|graphql-ws)/' },
  },
  {
    name: 'redis-at-the-edge',
    comment: 'ioredis belongs to the one wrapper that bounds what a command may take.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli|subgraphs)/', pathNot: ['^gateway/redis/', '^subgraphs/kit/events/'] },
    to: { path: 'node_modules/ioredis/' },
  },
];

const everywhere = [
  { name: 'no-cycles', comment: 'Two files that need each other are one file.', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolvable', comment: 'Every import leads somewhere.', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'declared-dependencies',
    comment: 'What is published imports packages of `dependencies`, and those that are optional peers.',
    severity: 'error',
    from: { path: '^(gateway|rest-facade|cli)/', pathNot: '^cli/tooling/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer'] },
  },
  {
    name: 'declared-dependencies-of-subgraphs',
    comment: 'The reference subgraphs are not published, and import any package that package.json names.',
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
