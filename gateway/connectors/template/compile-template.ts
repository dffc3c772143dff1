import { compileSelection } from '../selection/compile-selection.ts';
import type { CompiledMapping } from '../selection/compiled-mapping.ts';
import type { SelectionProblem, MappingVariables } from '../selection/compiled-mapping.ts';
import { ConnectorRequestInvalid } from './connector-request-invalid.ts';
import type { Template, TemplatePart } from './template.ts';
import type { SelectionNode } from '../selection/selection-node.ts';

/** Input of the mappings of a request, which read variables only. */
export const NO_INPUT: Readonly<Record<string, never>> = Object.freeze({});

/** Builds the text of a template. Problems of mappings are appended. */
export type BuildText = (variables: MappingVariables, problems?: SelectionProblem[]) => string;

/** How the sections of a template become text. */
export interface TemplateEncoding {
  /** Compiles expressions. @defaultValue `compileSelection` */
  readonly compile?: CompileExpression;
  /** Encodes text of the schema. @defaultValue unchanged */
  readonly written?: (text: string) => string;
  /** Encodes values of expressions. @defaultValue unchanged */
  readonly value?: (text: string) => string;
}

/** Compiles an expression of a request. */
export type CompileExpression = (expression: SelectionNode) => CompiledMapping;

/**
 * Compiles a template to a function. Missing and null values become empty.
 *
 * @param position of the template in the request, for messages: `the path of the URL`
 * @returns a function that throws ConnectorRequestInvalid if an expression results in an object or a list
 */
export function compileTemplate({ parts }: Template, position: string, encoding: TemplateEncoding = {}): BuildText {
  const sections = parts.map((part) => compilePart(part, position, encoding));
  const [first] = sections;
  if (first === undefined) return () => '';
  if (sections.length === 1) return first;
  return (variables, problems) => {
    let text = '';
    for (const section of sections) text += section(variables, problems);
    return text;
  };
}

function compilePart(part: TemplatePart, position: string, { compile = compileSelection, written, value }: TemplateEncoding): BuildText {
  if (part.kind === 'text') {
    const text = written === undefined ? part.text : written(part.text);
    return () => text;
  }
  const mapping = compile(part.expression);
  return (variables, problems) => {
    const text = scalarText(mapping(NO_INPUT, variables, problems), position);
    return value === undefined ? text : value(text);
  };
}

/**
 * Converts a scalar to text. Missing and null values become empty.
 *
 * @throws ConnectorRequestInvalid for objects and lists
 */
export function scalarText(value: unknown, position: string): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const kind = Array.isArray(value) ? 'a list' : 'an object';
  throw new ConnectorRequestInvalid(
    `An expression in ${position} resulted in ${kind}, but must result in a string, a number or a boolean.`,
  );
}
