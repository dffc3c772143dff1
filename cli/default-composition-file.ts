/** Composition file that `compose` and `dev` read if no other file is named. */
export const DEFAULT_COMPOSITION_FILE = 'composition.yaml';
