/** A document with exactly one mistake: what is wrong, the text, what stands at the reported place, the message and the hint. */
export type BrokenDocument = readonly [title: string, text: string, at: string, message: RegExp, hint: RegExp];
