import type { SelectionNode } from '../selection/selection-node.ts';

/** A text with expressions in braces, as in URLs and header values: `/books/{$args.id}`. */
export interface Template {
  /** Text as written. */
  readonly text: string;
  /** Sections of the text, in their order. Neighboring sections are never both text. */
  readonly parts: readonly TemplatePart[];
}

/** A section of a template. */
export type TemplatePart = TemplateText | TemplateExpression;

/** A section that is sent as written. */
export interface TemplateText {
  readonly kind: 'text';
  readonly text: string;
  /** Position in the text from which the template was parsed. @unit UTF-16 code units */
  readonly offset: number;
}

/** A section that is computed for each request. */
export interface TemplateExpression {
  readonly kind: 'expression';
  /** Expression without its braces. */
  readonly text: string;
  readonly expression: SelectionNode;
  /** Position of the expression, after its brace, in the text from which the template was parsed. @unit UTF-16 code units */
  readonly offset: number;
}
