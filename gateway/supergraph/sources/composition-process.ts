import { composeSubgraphs, type SubgraphSource } from '../compose-subgraphs.ts';

/** Entry module of the composition process. It receives subgraphs, returns their composition, and is terminated by the parent process. */
process.once('message', (subgraphs) => process.send?.(composeSubgraphs(subgraphs as readonly SubgraphSource[])));
process.once('disconnect', () => process.exit());
