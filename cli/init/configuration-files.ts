import { stringify } from 'yaml';
import type { SubgraphArgument } from '../subgraph-argument.ts';
import type { NewProject } from './new-project.ts';

/** Supergraph of a project, which `compose` writes and the gateway serves. */
export const SUPERGRAPH = 'supergraph.graphql';

/** Directory of the REST documents of a project. */
export const REST_DIRECTORY = 'rest';

const quote = (text: string): string => JSON.stringify(text);

/** Writes `gatefold.yaml`. Settings that are not decided are comments. */
export function configurationText({ profile, jwt, hasRest }: NewProject): string {
  return `# Configuration of the gateway. All settings: docs/reference/configuration.md in the package gatefold.
# Check it with: npx gatefold validate

# Without a profile, \`gatefold dev\` uses dev (GraphiQL, introspection, development tokens), and \`gatefold serve\` production.
${profile === undefined ? '# profile: production' : `profile: ${profile}`}

# Listeners. Environment variables take precedence: PORT, HOST.
server:
  port: 4000
  # Proxies whose X-Forwarded-* headers are trusted. Required in production if \`host\` is not a loopback address.
  # host: 0.0.0.0
  # trustedProxies: [10.0.0.0/8]
  # Origins of web pages that may call the gateway.
  # cors:
  #   origins: [https://app.example.com]

# \`npm run compose\` writes this file from composition.yaml. A running gateway reads it again when it changes.
supergraph:
  file: ${SUPERGRAPH}

# Requests to subgraphs. The URLs of composition.yaml can be overridden, here or by SUBGRAPH_<NAME>_URL.
# subgraphs:
#   headers:
#     propagate: [authorization]
#   override:
#     films:
#       url: http://films.internal:4101/graphql

${
  hasRest
    ? `# REST endpoints, which are GraphQL operations in this directory. OpenAPI is at /openapi.json, and its page at /docs.
rest:
  documents: ${REST_DIRECTORY}
`
    : `# REST endpoints, which are GraphQL operations in a directory. Needs the package express.
# rest:
#   documents: ${REST_DIRECTORY}
`
}
# Tokens that callers send in \`Authorization: Bearer\`. Without credentials, a caller is anonymous.
${
  jwt === undefined
    ? `# auth:
#   providers:
#     jwt:
#       company:
#         issuer: https://id.example.com/
#         audiences: [my-graph]
#         jwksUrl: https://id.example.com/.well-known/jwks.json
`
    : `auth:
  providers:
    jwt:
      default:
        issuer: ${quote(jwt.issuer)}
        audiences: [${quote(jwt.audience)}]
        jwksUrl: ${quote(jwt.jwksUrl)}
`
}
# Manifests of trusted documents, which \`gatefold persist\` writes. With the mode safelist, only these are executed.
# persisted:
#   manifests:
#     web: manifests/web.json
#   mode: safelist

# Limits of operations. \`gatefold plan\` prints the cost of an operation.
# limits:
#   maxCost: 5000
#   maxDepth: 15

# Caches, rate limits and idempotency keys in Redis, for several gateways. Needs the package ioredis.
# redis:
#   url: redis://127.0.0.1:6379
`;
}

/** Writes `composition.yaml`. @param subgraphs subgraphs with paths relative to the project */
export function compositionText(subgraphs: readonly (SubgraphArgument & { readonly url: string })[]): string {
  const entries = Object.fromEntries(subgraphs.map(({ name, url, files }) => [name, files === undefined ? { url } : { url, files }]));
  return `# Subgraphs of the graph. \`npm run compose\` writes ${SUPERGRAPH} from it. Paths are relative to this file.
#   url      URL of the subgraph for the gateway
#   files    SDL files, which are read as one document; without them, the SDL is fetched from \`url\`
#   headers  headers of the request that fetches the SDL
${stringify({ output: SUPERGRAPH, subgraphs: entries }, { lineWidth: 0 })}`;
}
