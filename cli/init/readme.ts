import { REST_DIRECTORY, SUPERGRAPH } from './configuration-files.ts';
import type { NewProject } from './new-project.ts';

/** Writes the README of a project. */
export function readmeText({ name, subgraphs, hasRest, jwt }: NewProject): string {
  const isExample = subgraphs.length === 0;
  const start = isExample
    ? 'It starts the example subgraph on port 4101 and the gateway on port 4000.'
    : 'It starts the gateway on port 4000. Your subgraphs must be running at the URLs of `composition.yaml`.';
  return `# ${name}

A GraphQL gateway for ${isExample ? 'one example subgraph' : `the subgraphs ${subgraphs.map((one) => one.name).join(', ')}`}, served by Gatefold.

\`\`\`sh
npm install
${isExample ? '' : 'npm run compose\n'}npm run dev
\`\`\`

${start} Open <http://127.0.0.1:4000/> for GraphiQL.
${
  isExample
    ? `
\`\`\`sh
curl -s http://127.0.0.1:4000/graphql -H 'content-type: application/json' -d '{"query":"{ films { title year } }"}'
${hasRest ? 'curl -s http://127.0.0.1:4000/films\n' : ''}\`\`\`
`
    : ''
}
| file | content |
| --- | --- |
| \`gatefold.yaml\` | configuration of the gateway, with comments |
| \`composition.yaml\` | subgraphs, with their SDL files and URLs |
| \`${SUPERGRAPH}\` | composed supergraph; commit it |
${isExample ? '| `subgraphs/films/` | example subgraph: schema and server |\n| `dev.js` | starts the example subgraph and the gateway |\n' : ''}${hasRest ? `| \`${REST_DIRECTORY}/\` | REST endpoints, which are GraphQL operations |\n` : ''}| \`Dockerfile\` | container image of the gateway for production |

## Change the graph

1. Add a subgraph to \`composition.yaml\`, or change an SDL file.
2. Run \`npm run compose\`. A running gateway serves the new supergraph at once.
3. Run \`npm run validate\` to check the configuration${hasRest ? ' and the REST documents' : ''}.

\`npx gatefold plan --query '{ __typename }'\` prints the query plan of an operation, and
\`npx gatefold check ${SUPERGRAPH} --against <old file>\` lists changes that break clients.

## Callers

${
  jwt === undefined
    ? 'All callers are anonymous in production until `auth.providers` in `gatefold.yaml` names an issuer of tokens.'
    : `The gateway accepts tokens of ${jwt.issuer} for the audience ${jwt.audience}.`
} In development, \`npx gatefold token --sub 1\` signs
a token.

## Run it in production

\`\`\`sh
npm start                     # on the loopback address
docker build -t ${name} .     # or as a container, behind a proxy that terminates TLS
docker run -p 127.0.0.1:4000:4000 ${name}
\`\`\`
`;
}
