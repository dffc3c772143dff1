/** Maximum length of integer IDs. JSON parsers that use doubles may change a sixteenth digit. @unit digits */
const MAX_DIGITS = 15;

/** Source of a pattern for IDs that are written as JSON integers. Longer IDs stay text. */
export const INTEGER_PATTERN = `(?:0|-?[1-9]\\d{0,${MAX_DIGITS - 1}})`;

/** Largest ID that is written as an integer. */
export const MAX_INTEGER_ID = 10 ** MAX_DIGITS - 1;
