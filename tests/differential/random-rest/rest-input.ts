import { Kind, type SelectionSetNode, type TypeNode } from 'graphql';
import type { Random } from '../../support/random/random.ts';
import { namedIn } from './rest-value.ts';

/** A request as a back end reads it. */
export interface RestRequest {
  readonly method: string;
  /** Decoded segments of the path after that of the connector. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** A value that a connector sends: an argument, a field of a key, or a required field. */
export interface RestInput {
  readonly name: string;
  /** Expression without a selection, such as `$args.id`. */
  readonly expression: string;
  /** Fields that are sent of an object. */
  readonly selection?: SelectionSetNode | undefined;
  /** Type of the value. Fields of a list have the type of the list. */
  readonly type: TypeNode;
}

/** Positions of inputs in a request, as text of the schema and as a reader of requests. */
export interface RestInputs {
  readonly segments: readonly string[];
  readonly query: readonly string[];
  readonly queryParams: readonly string[];
  readonly body: readonly string[];
  /** Returns the values by name. Absent inputs have none. */
  read(request: RestRequest): Readonly<Record<string, unknown>>;
}

type ReadInput = (request: RestRequest) => unknown;

/** Decides where a request has each input. @param hasBody whether the request has a body, which then contains all of them */
export function drawInputs(inputs: readonly RestInput[], hasBody: boolean, random: Random): RestInputs {
  const [segments, query, queryParams, body]: [string[], string[], string[], string[]] = [[], [], [], []];
  const readers = new Map<string, ReadInput>();
  for (const { name, expression, selection, type } of inputs) {
    const property = `in_${name.replaceAll(/\W/g, '_')}`;
    if (hasBody) {
      body.push(`${property}: ${expression}${selection === undefined ? '' : ` ${writeFieldSet(selection)}`}`);
      readers.set(name, (request) => readProperty(request.body, property));
    } else if (isText(type) && random.chance(0.7)) {
      const isSegment = namedIn(type) !== 'String' && random.chance(0.6);
      if (isSegment) {
        const index = segments.length;
        segments.push(`{${expression}}`);
        readers.set(name, (request) => fromText(type, request.segments[index]));
      } else {
        query.push(`${property}={${expression}}`);
        readers.set(name, (request) => fromText(type, request.query.get(property) ?? undefined));
      }
    } else if (selection === undefined) {
      if (random.chance(0.5)) queryParams.push(`${property}: ${expression}->jsonStringify`);
      else query.push(`${property}={${expression}->jsonStringify}`);
      readers.set(name, (request) => fromJson(request.query.get(property)));
    } else throw new Error(`The input ${name} needs a body.`);
  }
  return {
    segments,
    query,
    queryParams,
    body,
    read(request) {
      const values: Record<string, unknown> = {};
      for (const [name, read] of readers) {
        const value = read(request);
        if (value !== undefined) values[name] = value;
      }
      return values;
    },
  };
}

/** Writes the fields of a field set in braces, for a mapping. */
export function writeFieldSet({ selections }: SelectionSetNode): string {
  const fields = selections.map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('A mapping has no fragments.');
    return `${selection.name.value}${selection.selectionSet === undefined ? '' : ` ${writeFieldSet(selection.selectionSet)}`}`;
  });
  return `{ ${fields.join(' ')} }`;
}

/** Whether each value has one text in a URL: it is neither null nor a list or an object. */
function isText(type: TypeNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.NAMED_TYPE && TEXTS.has(type.type.name.value);
}

const TEXTS: ReadonlySet<string> = new Set(['Int', 'Float', 'ID', 'String', 'Boolean', 'Color', 'Size']);

function fromText(type: TypeNode, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const name = namedIn(type);
  if (name === 'Int' || name === 'Float') return Number(text);
  return name === 'Boolean' ? text === 'true' : text;
}

function fromJson(text: string | null): unknown {
  return text === null || text === '' ? undefined : JSON.parse(text);
}

export function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
