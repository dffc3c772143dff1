import { type GraphQLLeafType, GraphQLEnumType, isSpecifiedScalarType } from 'graphql';
import { FieldFailure } from './field-failure.ts';
import { type PrintRun, type ValuePrinter, currentPath } from './print-run.ts';
import { printFreeForm } from './print-free-form.ts';
import { printText } from './print-text.ts';

const MAX_INT = 2_147_483_647;
const MIN_INT = -2_147_483_648;

/** Leaf types that the printer of objects prints without a call; the others go through their printer. */
export type InlineLeaf = 'text' | 'int' | 'float' | 'boolean' | 'none';

/** How a field of this type may be printed in line. */
export function inlineLeafOf(type: GraphQLLeafType): InlineLeaf {
  if (!isSpecifiedScalarType(type)) return 'none';
  if (type.name === 'String' || type.name === 'ID') return 'text';
  if (type.name === 'Int') return 'int';
  return type.name === 'Float' ? 'float' : 'boolean';
}

/**
 * Compiles the printer of a leaf. Values must be what the type says (GraphQL specification, 3.5): a subgraph's string is
 * not made a number. Two forms are accepted as subgraphs of other makes send them: a whole number for an `ID`, printed
 * as the string it stands for, and a whole number for a `Float`. Custom scalars are printed as they are, unless they are
 * nested too deeply.
 *
 * @param owner the field as `Type.field`, for the message
 */
export function compileLeaf(type: GraphQLLeafType, owner: string): ValuePrinter {
  const toJson = leafToJson(type);
  return (value, depth, run) => {
    const text = toJson(value);
    return text === undefined || value instanceof FieldFailure ? reportUnusable(value, owner, depth, run) : text;
  };
}

/** A printer of leaf values that knows no errors: `undefined` for a value that is none of the type. */
function leafToJson(type: GraphQLLeafType): (value: unknown) => string | undefined {
  if (type instanceof GraphQLEnumType) {
    const texts = new Map(type.getValues().map(({ name }) => [name, `"${name}"`]));
    return (value) => (typeof value === 'string' ? texts.get(value) : undefined);
  }
  if (isSpecifiedScalarType(type)) {
    switch (type.name) {
      case 'Int':
        return (value) => (isInt(value) ? `${value}` : undefined);
      case 'Float':
        return (value) => (typeof value === 'number' && Number.isFinite(value) ? `${value}` : undefined);
      case 'Boolean':
        return (value) => (typeof value === 'boolean' ? `${value}` : undefined);
      case 'ID':
        return (value) => (typeof value === 'string' ? printText(value) : Number.isSafeInteger(value) ? `"${value as number}"` : undefined);
      default:
        return (value) => (typeof value === 'string' ? printText(value) : undefined);
    }
  }
  return (value) => {
    if (typeof value === 'string') return printText(value);
    try {
      return printFreeForm(value);
    } catch {
      return undefined;
    }
  };
}

function isInt(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value <= MAX_INT && value >= MIN_INT;
}

/** Reports a value that cannot be printed: the mark of a failure, or something of the wrong shape. */
export function reportUnusable(value: unknown, owner: string, depth: number, run: PrintRun): undefined {
  const path = currentPath(run, depth);
  if (value instanceof FieldFailure) {
    run.shown.add(value);
    for (const cause of value.causes) run.report({ ...cause, path });
  } else {
    run.report({ message: `A subgraph answered with an invalid value for field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
  }
  return undefined;
}
