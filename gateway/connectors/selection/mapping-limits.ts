/** Maximum length of a mapping. @unit UTF-16 code units */
export const MAX_MAPPING_LENGTH = 100_000;

/** Maximum depth of a mapping: nested brackets, and the steps before them. */
export const MAX_MAPPING_DEPTH = 64;

/** Maximum number of fields, steps, literals and operators of a mapping. */
export const MAX_MAPPING_NODES = 10_000;

/** Maximum number of steps of one path. */
export const MAX_PATH_STEPS = 100;

/** Maximum depth of lists in lists, and of values that methods compare, convert or write as JSON. Deeper values are a mapping problem. */
export const MAX_DATA_DEPTH = 200;

/** Maximum number of problems that one run records. */
export const MAX_MAPPING_PROBLEMS = 100;
