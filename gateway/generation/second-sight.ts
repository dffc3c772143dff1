/** Tells texts that were seen lately from those that come for the first time. */
export type SecondSight = (text: string) => boolean;

/** Texts that are remembered; a power of two. Each takes 4 bytes. */
const SLOTS = 65_536;

/**
 * Remembers texts by their hashes, each in the one place that its hash gives it, until another text takes that. Two texts
 * with one hash are rare, and then the second is taken for the first.
 */
export function createSecondSight(): SecondSight {
  const seen = new Int32Array(SLOTS);
  return (text) => {
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    if (seen[slot] === hash) return true;
    seen[slot] = hash;
    return false;
  };
}

/** FNV-1a, its bits mixed at the end, because the last ones choose the slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) | 0;
}
