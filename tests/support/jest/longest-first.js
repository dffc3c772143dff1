import Sequencer from '@jest/test-sequencer';

/** Files that measure the memory that is retained after garbage collection. It takes longer, the more modules their worker has loaded. */
const MEASURING = ['01-bounded-stores', '01-bounded-streams', '04-unread-responses', '04-unread-messages', '24-cached-operations'];

/** Files that are slow but small. A queue without times of an earlier run begins with the largest files. */
const LONG = [
  'idempotency/kills',
  'e2e/documentation',
  'e2e/mistakes',
  'e2e/start',
  'e2e/workers',
  'e2e/dev/',
  'e2e/apollo-engine',
  'authorization/reference-graph',
  'integration/differential',
  'e2e/create-project',
  'e2e/containers',
  'e2e/package',
  'embedding-page',
  'migration-page',
  '09-paths-to-one-directory',
  'authorization/transports',
  'authorization/scoped-graph',
  'differential/rest-services',
  'e2e/shutdown',
  'e2e/readme',
  'webhooks/service/',
  'webhooks/kill-senders',
  '04-unread-streams',
  '23-error-responses-over-http',
  '06-directives-that-are-not-composed',
  'subscriptions/stream-continuity',
  'storage/open-storage',
  '02-joint-positions',
  'authorization/policy-lines',
  'cache/isolation',
  'faults/policies',
];

/** Orders the test files so that no worker runs a long one alone at the end. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const hasTimes = sorted.some(({ duration }) => duration !== undefined);
    const first = hasTimes ? MEASURING : [...MEASURING, ...LONG];
    const positionOf = ({ path }) => first.findIndex((part) => path.includes(part));
    const placed = sorted.filter((test) => positionOf(test) !== -1).sort((one, other) => positionOf(one) - positionOf(other));
    return [...placed, ...sorted.filter((test) => positionOf(test) === -1)];
  }
}
