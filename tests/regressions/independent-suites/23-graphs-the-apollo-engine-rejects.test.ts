import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { reportGaps } from '../../../cli/apollo-engine/report-gaps.ts';
import { findUnsupported } from '../../../cli/apollo-engine/unsupported-settings.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import {
  type ApolloEngineOptions,
  apolloConfig,
  composedOf,
  recordingLogger,
  startTestApolloEngine,
} from '../../fixtures/apollo-engine.ts';

const FEDERATION = 'https://specs.apollo.dev/federation/v2.9';
const identity = { secret: 'k'.repeat(32) };

function check(sdl: string, options: ApolloEngineOptions = {}): readonly string[] {
  return findUnsupported(apolloConfig({ ...options, config: { ...options.config, supergraph: { sdl } } }), loadSupergraph(sdl));
}

const directives = (name: string): string => readFileSync(join(packageRoot, 'schema/directives', `${name}.graphql`), 'utf8');

const AUTH = composedOf({
  users: {
    sdl: `extend schema @link(url: "${FEDERATION}", import: ["@key", "@composeDirective"])
      ${directives('auth')} ${directives('creator')}
      type Query { me: User }
      type Mutation { createUser: User @creatorMayRead(fields: "email") }
      type User @key(fields: "id") { id: ID! email: String @auth(requires: ADMIN, orOwner: "id") }`,
  },
});

const EVENTS = composedOf({ books: { sdl: 'type Query { title: String } type Subscription { renamed: String }' } });

describe('point 23: graphs that only the engine "gatefold" serves unchanged', () => {
  it('rejects @auth and @creatorMayRead by name and coordinate by default', () => {
    expect(check(AUTH)).toEqual([
      'The rules of the supergraph are not enforced (@auth of User.email, @creatorMayRead of Mutation.createUser). ' +
        'If each subgraph enforces them, set engine.rules to subgraphs.',
    ]);
  });

  it('rejects `engine.rules: subgraphs` without an identity key that subgraphs need', () => {
    expect(check(AUTH, { engine: { rules: 'subgraphs' } })).toEqual([
      expect.stringContaining('Set identity.secret or identity.privateKeyFile'),
    ]);
  });

  it('serves `engine.rules: subgraphs` with a key, with one warning that names the rules', async () => {
    const logger = recordingLogger();
    const config = { supergraph: { sdl: AUTH }, identity };
    await using engine = await startTestApolloEngine({ config, engine: { rules: 'subgraphs' } }, logger);
    expect(engine.url).toMatch(/^http:/);
    const warnings = logger.lines.filter(({ message }) => message.includes('rules'));
    expect(warnings).toEqual([
      {
        facts: { rules: ['@auth of User.email', '@creatorMayRead of Mutation.createUser'] },
        message: expect.stringContaining('User.email'),
      },
    ]);
  });

  it.each([
    ['authenticated', 'type Query { me: String @authenticated }'],
    ['requiresScopes', 'type Query { me: String @requiresScopes(scopes: [["a"]]) }'],
    ['policy', 'type Query { me: String @policy(policies: [["a"]]) }'],
  ])('rejects @%s by name even if subgraphs enforce it: the stock gateway would not load it', (name, sdl) => {
    const composed = composedOf({ users: { sdl: `extend schema @link(url: "${FEDERATION}", import: ["@${name}"]) ${sdl}` } });
    expect(check(composed, { config: { identity }, engine: { rules: 'subgraphs' } })).toEqual([
      expect.stringMatching(`^The stock gateway does not load a supergraph with @${name} .*use the engine "gatefold"`),
    ]);
  });

  it('rejects @fromContext by name: the stock gateway would not load it', () => {
    const composed = composedOf({
      users: {
        sdl: `extend schema @link(url: "${FEDERATION}", import: ["@key", "@context", "@fromContext"])
          type Query { me: User }
          type User @key(fields: "id") @context(name: "u") { id: ID! name: String pet: Pet }
          type Pet @key(fields: "id") { id: ID! greeting(owner: String @fromContext(field: "$u { name }")): String }`,
      },
      pets: { sdl: `extend schema @link(url: "${FEDERATION}", import: ["@key"]) type Pet @key(fields: "id") { id: ID! }` },
    });
    expect(check(composed)).toEqual([expect.stringMatching('^The stock gateway does not load a supergraph with @context ')]);
  });

  it('rejects the field of an @override label by name', () => {
    const sdl = (field: string) => `extend schema @link(url: "${FEDERATION}", import: ["@key", "@override"])
      type User @key(fields: "id") { id: ID! ${field} }`;
    const composed = composedOf({
      a: { sdl: `${sdl('name: String')} type Query { me: User }` },
      b: { sdl: sdl('name: String @override(from: "a", label: "percent(20)")') },
    });
    expect(check(composed)).toEqual([expect.stringMatching(/^Labels of @override are not evaluated \(User\.name\)\. /)]);
  });

  it('rejects subscriptions by name by default, and omits them with one warning if configured', () => {
    expect(check(EVENTS)).toEqual(['Subscriptions are not served (renamed). To start without them, set engine.subscriptions to omit.']);
    expect(check(EVENTS, { engine: { subscriptions: 'omit' } })).toEqual([]);
    const logger = recordingLogger();
    reportGaps(apolloConfig({ engine: { subscriptions: 'omit' } }), loadSupergraph(EVENTS), logger);
    expect(logger.lines.filter(({ facts }) => 'fields' in facts)).toEqual([
      { facts: { fields: ['renamed'] }, message: expect.stringContaining('sends no webhooks') },
    ]);
  });

  it.each([
    ['dev', true],
    ['production', false],
  ] as const)('warns about measured budgets in the profile %s and names the mode: %s', (profile, isNamed) => {
    const logger = recordingLogger();
    const config = apolloConfig({ config: { profile, budget: { mode: isNamed ? 'measure' : 'off' } } });
    reportGaps(config, loadSupergraph(composedOf({ books: { sdl: 'type Query { title: String }' } })), logger);
    const [warning] = logger.lines;
    expect(JSON.stringify(warning?.facts).includes('"budget.mode"')).toBe(isNamed);
  });

  it('prints one warning at startup that names the settings whose defaults have no effect', () => {
    const logger = recordingLogger();
    reportGaps(apolloConfig({}), loadSupergraph(composedOf({ books: { sdl: 'type Query { title: String }' } })), logger);
    expect(logger.lines).toEqual([
      {
        facts: { settings: expect.arrayContaining(['cache.responses', 'budget.*', 'redis.*', 'limits.maxCost']) },
        message: expect.any(String),
      },
    ]);
  });

  it('rejects the reference graph by name without the settings of `gatefold dev`', () => {
    const sdl = readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8');
    expect(check(sdl)).toEqual([
      expect.stringMatching(/@auth of .* more\)\. If each subgraph enforces them, set engine\.rules/),
      expect.stringContaining('orderStatusChanged'),
    ]);
    expect(check(sdl, { config: { identity }, engine: { rules: 'subgraphs', subscriptions: 'omit' } })).toEqual([]);
  });
});
