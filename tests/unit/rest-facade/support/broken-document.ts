/** A document with exactly one mistake: its title, the text, the text at the reported position, the message and the hint. */
export type BrokenDocument = readonly [title: string, text: string, at: string, message: RegExp, hint: RegExp];
