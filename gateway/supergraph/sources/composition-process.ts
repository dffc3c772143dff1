import { composeSubgraphs, type SubgraphSource } from '../compose-subgraphs.ts';

/** A process of its own: takes subgraphs, gives back their composition, and is ended by whoever started it. */
process.once('message', (subgraphs) => process.send?.(composeSubgraphs(subgraphs as readonly SubgraphSource[])));
process.once('disconnect', () => process.exit());
