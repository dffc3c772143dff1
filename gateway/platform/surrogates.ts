/**
 * Matches half of a character outside of the Basic Multilingual Plane. A section of a string can begin or end within such a character, and a
 * half without its counterpart has no encoding in UTF-8.
 */
export const SURROGATE: RegExp = /[\uD800-\uDFFF]/;
