import { describe, expect, it } from '@jest/globals';
import { buildGeneration } from '../../../../gateway/composition/build-generation.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../gateway/config/sections.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

const sdlWith = (rule: string, ruleOfPost = ''): string => `
  schema
    @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
    @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
  { query: Query }
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT | INTERFACE
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
  directive @authenticated on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  enum join__Graph { S @join__graph(name: "s", url: "http://127.0.0.1:1/") }
  type Query @join__type(graph: S) { node: Node }
  interface Node @join__type(graph: S) { id: ID! ${rule} }
  type User implements Node @join__implements(graph: S, interface: "Node") @join__type(graph: S) { id: ID! ${rule} }
  type Post implements Node @join__implements(graph: S, interface: "Node") @join__type(graph: S) { id: ID! ${ruleOfPost} }
`;

async function warningsOf(sdl: string, supergraph: NonNullable<GatewayConfigInput['supergraph']> = { sdl }): Promise<readonly string[]> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_facts: unknown, message?: unknown) => void warnings.push(String(message)) };
  const config = resolveGatewayConfig({ profile: 'dev', supergraph });
  const generation = await buildGeneration(sdl, config, { clock: systemClock, logger });
  await generation[Symbol.asyncDispose]();
  return warnings;
}

describe('given a rule of an interface that some implementations do not have', () => {
  it('logs the interface, the field, the open implementation and the remedy', async () => {
    const [warning] = await warningsOf(sdlWith('@authenticated'));
    expect(warning).toContain('@authenticated of Node.id is not enforced for Post.id.');
    expect(warning).toContain('write it on each implementation and compose again');
  });

  it('logs nothing when each implementation has the rule', async () => {
    expect(await warningsOf(sdlWith('@authenticated', '@authenticated'))).toEqual([]);
  });

  it('logs nothing when the gateway composes the subgraphs, because composition rejects such rules', async () => {
    expect(await warningsOf(sdlWith('@authenticated'), { subgraphs: { s: { url: 'http://127.0.0.1:1/' } } })).toEqual([]);
  });
});
