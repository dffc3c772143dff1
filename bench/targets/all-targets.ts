import { floors } from './floors.ts';
import { gatefold, gatefoldApollo } from './gatefold.ts';
import { grafbase, hive, hiveNative, mercurius, stock } from './peers.ts';
import type { Target } from './target.ts';

/** All targets, in the order of the table. */
export const allTargets: readonly Target[] = [gatefold, gatefoldApollo, stock, hive, hiveNative, mercurius, grafbase, ...floors];
