import type { ConnectVersion } from '../connect-version.ts';
import type { FieldNode, LiteralNode, ObjectNode, PathHead, PathNode, SelectionStep, SelectionNode } from './selection-node.ts';

/** Writes a mapping on one line. Parsed by the same version, the text has the same meaning. */
export function printSelection(node: SelectionNode, version: ConnectVersion): string {
  if (node.kind === 'object' && node.isSelection) return printFields(node, version);
  return printNode(node, version);
}

function printNode(node: SelectionNode, version: ConnectVersion): string {
  switch (node.kind) {
    case 'literal':
      return printLiteral(node, version);
    case 'list':
      return `[${node.items.map((item) => printNode(item, version)).join(', ')}]`;
    case 'object':
      return printBraces(node, version);
    case 'fallback':
      return node.operands.map((operand) => printNode(operand, version)).join(` ${node.operator} `);
    case 'path':
      break;
  }
  return printPath(node, version);
}

/** Separates the properties of literals by commas, and the fields of selections and named groups by spaces. */
function printBraces(node: ObjectNode, version: ConnectVersion): string {
  return node.fields.length === 0 ? '{}' : `{ ${printFields(node, version)} }`;
}

function printFields(node: ObjectNode, version: ConnectVersion): string {
  // Before version 0.4, each property of a literal must have a name and a value.
  const needsNames = version !== '0.4' && node.separator === ', ';
  return node.fields.map((field) => printField(field, version, needsNames)).join(node.separator);
}

function printField({ name, isSpread, value }: FieldNode, version: ConnectVersion, needsName: boolean): string {
  const text = printNode(value, version);
  if (isSpread) return `...${text}`;
  const isImplied = name === undefined || (!needsName && isOwnName(name, value));
  return isImplied ? text : `${printKey(name, version)}: ${text}`;
}

/** Returns whether a field without an alias has the name. */
function isOwnName(name: string, value: SelectionNode): boolean {
  return (
    value.kind === 'path' && value.head.kind === 'key' && value.head.name === name && value.steps.every(({ kind }) => kind === 'optional')
  );
}

function printPath({ head, steps, selection }: PathNode, version: ConnectVersion): string {
  // The dot after a number would be a part of it.
  const isNumber = head.kind === 'expression' && !head.isWrapped && head.value.kind === 'literal' && typeof head.value.value === 'number';
  const path = printHead(head, version) + (isNumber ? ' ' : '') + steps.map((step) => printStep(step, version)).join('');
  return selection === undefined ? path : `${path} ${printBraces(selection, version)}`;
}

function printHead(head: PathHead, version: ConnectVersion): string {
  switch (head.kind) {
    case 'key':
      return printKey(head.name, version);
    case 'variable':
      return head.name;
    case 'root':
      return '$';
    case 'current':
      return '@';
    case 'expression':
      break;
  }
  return head.isWrapped ? `$(${printNode(head.value, version)})` : printNode(head.value, version);
}

function printStep(step: SelectionStep, version: ConnectVersion): string {
  if (step.kind === 'optional') return '?';
  if (step.kind === 'key') return `.${printKey(step.name, version)}`;
  const args = step.args.map((argument) => printNode(argument, version)).join(', ');
  return `->${step.name}${step.args.length === 0 ? '' : `(${args})`}`;
}

function printKey(name: string, version: ConnectVersion): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : printText(name, version);
}

function printLiteral({ value }: LiteralNode, version: ConnectVersion): string {
  if (typeof value === 'string') return printText(value, version);
  if (typeof value !== 'number') return String(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  // Versions before 0.4 have no exponents.
  return version === '0.4' || !text.includes('e') ? text : withoutExponent(value);
}

/** Maximum number of decimals that JavaScript writes. */
const MAX_DIGITS = 100;

function withoutExponent(value: number): string {
  return Math.abs(value) < 1 ? value.toFixed(MAX_DIGITS).replace(/0+$/, '') : BigInt(value).toString();
}

function printText(text: string, version: ConnectVersion): string {
  return version === '0.4' ? JSON.stringify(text) : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
