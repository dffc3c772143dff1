import { createRandom, type Random } from '../../support/random/random.ts';
import { hash } from '../random-federation/world-values.ts';

/**
 * Creates the generator of one decision. Decisions about different elements do not depend on each other, so that a graph from which elements
 * were removed has the same connectors for the others.
 */
export function decide(seed: number, ...about: readonly string[]): Random {
  return createRandom(hash(`${seed}|${about.join('|')}`));
}
