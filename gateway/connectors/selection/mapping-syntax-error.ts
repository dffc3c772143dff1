/** Reports text of the mapping language that is invalid: wrong syntax, an unknown method, or a feature of a later version. */
export class MappingSyntaxError extends Error {
  /** Position of the mistake in the text. @unit UTF-16 code units */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'MappingSyntaxError';
    this.offset = offset;
  }
}
