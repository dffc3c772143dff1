/** Digits that every reader of JSON keeps: those that read numbers as doubles may change a sixteenth. @unit digits */
const MAX_DIGITS = 15;

/** Source of a pattern for IDs that are written as JSON integers; longer ones stay text. */
export const INTEGER_PATTERN = `(?:0|-?[1-9]\\d{0,${MAX_DIGITS - 1}})`;

/** The largest ID that is written as an integer. */
export const MAX_INTEGER_ID = 10 ** MAX_DIGITS - 1;
