/** Reports an invalid template: the URL or header value of a connector. */
export class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';
  /** Position in the text. @unit UTF-16 code units */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
