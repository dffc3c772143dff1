/** Rooms of the gateway from the lowest step to the highest; those on one step do not know each other. */
const STEPS = [
  ['platform'],
  ['config'],
  ['redis'],
  ['supergraph'],
  ['operation'],
  ['planning', 'subgraph-client', 'authorisation'],
  ['execution', 'persisted', 'auth', 'budget', 'idempotency', 'cache', 'telemetry'],
  ['generation'],
  ['pipeline'],
  ['http', 'subscriptions'],
];

const DOORS = '^gateway/(create-gateway|gateway|index)\\.ts$';
const APOLLO_SERVER = '^gateway/apollo-server/';

/** Pairs on one step of which the first may know the second: subscriptions over SSE come in by /graphql. */
const ALLOWED_ON_ONE_STEP = new Set(['http>subscriptions']);

const roomPattern = (rooms) => `^gateway/(${rooms.join('|')})/`;

const orderOfRooms = STEPS.flatMap((rooms, step) =>
  rooms.map((room) => {
    const beside = rooms.filter((other) => other !== room && !ALLOWED_ON_ONE_STEP.has(`${room}>${other}`));
    const above = STEPS.slice(step + 1).flat();
    const forbidden = [...beside, ...above];
    return {
      name: `rooms-${room}`,
      comment: `gateway/${room} imports rooms below it only: neither those beside it nor those above it.`,
      severity: 'error',
      from: { path: `^gateway/${room}/` },
      to: { path: [...(forbidden.length > 0 ? [roomPattern(forbidden)] : []), DOORS, APOLLO_SERVER] },
    };
  }),
);

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
    name: 'doors-below-the-drop-in',
    comment: 'The drop-in stands on the public door, not the door on it.',
    severity: 'error',
    from: { path: DOORS },
    to: { path: APOLLO_SERVER },
  },
  mayImport({
    name: 'rest-facade-by-the-door',
    part: 'rest-facade',
    allowed: ['^gateway/index\\.ts$', '^gateway/platform/'],
    comment: 'The REST facade sees the gateway through its public door and its platform only.',
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
    name: 'cli-by-the-door',
    part: 'cli',
    allowed: [
      '^gateway/index\\.ts$',
      '^gateway/(platform|config|supergraph|operation|planning|persisted|auth|authorisation)/',
      // The engine of Apollo, whose Express application the command line puts together.
      '^gateway/(apollo-server/(admit-stock-request|create-stock-server|open-stock-listeners)|http/(graphql-reply|to-gateway-error))\\.ts$',
      '^rest-facade/(index|config)\\.ts$',
    ],
    comment: 'The command line puts the parts together through their doors, and starts subgraphs only as a process.',
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
    name: 'pure-rooms',
    comment: 'What is made of an operation follows from its text, the supergraph and the settings: no clock, no logger, no I/O.',
    severity: 'error',
    from: { path: '^(gateway/(operation|planning|execution|authorisation)|rest-facade/openapi)/', pathNot: '^gateway/planning/worker/' },
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
    comment: 'Only the planner has a thread of its own, and only its room knows that.',
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
    comment: "Node's http belongs to the platform, to the rooms that are doors, and to streams of subgraphs; types may travel.",
    severity: 'error',
    from: {
      path: '^(gateway|rest-facade|cli|subgraphs)/',
      pathNot: [
        '^gateway/(platform|http|subscriptions|apollo-server)/',
        '^gateway/create-gateway\\.ts$',
        '^gateway/subgraph-client/streams/',
        '^rest-facade/http/',
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
  forbidden: [...orderOfRooms, ...separationOfParts, ...edges, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(generated|dist)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
