import { parse } from 'graphql';
import { connectors as connectorsSection } from '../../../gateway/config/sections/connectors.ts';
import { openConnectors } from '../../../gateway/connector-client/open-connectors.ts';
import { resolveConnectors } from '../../../gateway/connector-client/resolve-connectors.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { settingsOf } from '../../support/subgraphs/fake-subgraph.ts';
import { type NoFederation, type RandomFederation, addMocks, composeTexts } from '../random-federation/build-random-federation.ts';
import { readFacts, type SubgraphText } from '../random-federation/read-facts.ts';
import { adaptSubgraphs, type Limit, modelOf } from './adapt-subgraphs.ts';
import { drawConnectors, type RestConnector } from './draw-connectors.ts';
import { limitFailures } from './limit-failures.ts';
import { createRestBackEnd, type RestBackEnd } from './rest-back-end.ts';
import type { RestTransport } from './rest-transport.ts';
import { writeRestSubgraph } from './write-rest-subgraph.ts';

/** A federation in which connectors resolve some subgraphs. */
export interface RestFederation extends RandomFederation {
  /** Connectors of each subgraph that is a REST service. */
  readonly connectors: ReadonlyMap<string, readonly RestConnector[]>;
  /** Reasons why others are not. */
  readonly limits: readonly Limit[];
  readonly isHttp: boolean;
}

/** Maximum number of HTTP requests of one operation. The operations are not limited. */
const MANY = 1_000_000;

/**
 * Composes subgraphs, turns some of them into REST services with connectors, and fills them with a world.
 *
 * @throws Error when the subgraphs compose, but not with the connectors. This is always a defect of the connectors or of their composition.
 */
export function buildRestFederation(given: readonly SubgraphText[], seed: number, transport: RestTransport): RestFederation | NoFederation {
  const { subgraphs, rest, limits } = adaptSubgraphs(given, seed);
  const facts = subgraphs.map(readFacts);
  const composed = composeTexts(facts);
  if (typeof composed !== 'string') return composed;
  const models = new Map(rest.map((name) => [name, modelOf(subgraphs, name, seed)]));
  const connectors = new Map([...models].map(([name, model]) => [name, drawConnectors(model)]));
  const written = subgraphs.map(({ name, sdl }): SubgraphText => {
    const [model, own] = [models.get(name), connectors.get(name)];
    return { name, sdl: model === undefined || own === undefined ? sdl : writeRestSubgraph(model, own, transport.origin) };
  });
  const backEnds = new Map(
    facts.flatMap((subgraph): readonly (readonly [string, RestBackEnd])[] => {
      const own = connectors.get(subgraph.name);
      return own === undefined ? [] : [[subgraph.name, createRestBackEnd(subgraph, own, facts)]];
    }),
  );
  const federation = addMocks(subgraphs, composed, seed, limitFailures(facts, new Set(rest), seed));
  return {
    ...federation,
    connectors,
    limits,
    isHttp: transport.isHttp,
    served: { subgraphs: written, ...openServed(written, backEnds, transport) },
  };
}

/** Composes and loads the subgraphs with connectors as a gateway does. */
function openServed(
  subgraphs: readonly SubgraphText[],
  backEnds: ReadonlyMap<string, RestBackEnd>,
  transport: RestTransport,
): Pick<NonNullable<RandomFederation['served']>, 'supergraphSdl' | 'connect'> {
  const sources = subgraphs.map(({ name, sdl }) => ({ name, url: `http://${name}.test`, files: [{ path: `${name}.graphql`, text: sdl }] }));
  const { supergraphSdl, errors } = composeSubgraphs(sources);
  if (supergraphSdl === undefined) throw new ConnectorsRefused(errors.map(({ message }) => message).join('\n'), subgraphs);
  const loaded = loadServed(supergraphSdl, subgraphs);
  if (loaded.connectors === undefined) return { supergraphSdl: loaded.sdl, connect: (executor) => executor };
  const resolved = resolveConnectors(loaded.connectors, connectorsSection.parse({ maxRequestsPerOperation: MANY }), {});
  const document = parse(loaded.sdl, { noLocation: true });
  return {
    supergraphSdl: loaded.sdl,
    connect(executor, context, record) {
      const send = transport.sender((subgraph, request) => {
        const backEnd = backEnds.get(subgraph);
        try {
          if (backEnd === undefined) throw new Error(`The subgraph ${subgraph} has no back end.`);
          const { response, connector } = backEnd.respond(request, context);
          record({ subgraph, kind: connector.kind, request: `${request.method} ${request.target} ${request.body}`, response });
          return response;
        } catch (error) {
          record({ subgraph, problem: String(error), request: `${request.method} ${request.target} ${request.body}` });
          return { status: 500, body: null };
        }
      });
      const split: typeof executor = (request, signal) => (request.http === undefined ? executor : send)(request, signal);
      return openConnectors(resolved, { document, settings: settingsOf(), send: split, logger: silentLogger });
    },
  };
}

/** Thrown when subgraphs compose, but not with their connectors. */
export class ConnectorsRefused extends Error {
  constructor(reasons: string, subgraphs: readonly SubgraphText[]) {
    super(`The connectors are refused: ${reasons}\n${subgraphs.map(({ name, sdl }) => `# ${name}\n${sdl}`).join('\n')}`);
  }
}

function loadServed(sdl: string, subgraphs: readonly SubgraphText[]): ReturnType<typeof loadSupergraph> {
  try {
    return loadSupergraph(sdl);
  } catch (error) {
    throw new ConnectorsRefused(String(error), subgraphs);
  }
}
