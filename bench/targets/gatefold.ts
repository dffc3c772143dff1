import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchRoot } from './paths.ts';
import { type Launch, type Target, TargetMissing } from './target.ts';

/** What the image and `npm start` give Node, and the page about serving tells everybody else to. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

/** The product as it is shipped: built, by its command, in the production profile, with nothing switched off. */
export const gatefold: Target = {
  name: 'gatefold',
  about: 'gatefold serve, with the young generation that the image gives it',
  launch({ gatefold: root, supergraphFile, port, directory }) {
    const main = join(root, 'dist/cli/main.js');
    if (!existsSync(main)) throw new TargetMissing(`${main} is not built`);
    const where = ['--supergraph', supergraphFile, '--port', String(port), '--internal-port', '0'];
    return { command: [process.execPath, ...NODE_FLAGS, main, 'serve', ...where], cwd: directory };
  },
};

/** The same engine as the `gateway` of an Apollo Server that is driven from node:http. */
export const gatefoldApollo: Target = {
  name: 'gatefold-apollo',
  about: 'createApolloGateway in Apollo Server 5 on node:http',
  launch(context): Launch {
    const module = join(context.gatefold, 'dist/gateway/apollo-server/index.js');
    if (!existsSync(module)) throw new TargetMissing('the build has no gateway/apollo-server');
    return {
      command: [process.execPath, ...NODE_FLAGS, join(benchRoot, 'servers/apollo-door.js'), JSON.stringify({ ...context, module })],
    };
  },
};
