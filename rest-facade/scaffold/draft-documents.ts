import { type GraphQLSchema, parse, print } from 'graphql';
import { compileRoutes } from '../compile/compile-routes.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { type DraftedOperation, isDrafted, type OmittedField } from './draft-operation.ts';
import { createUsedPaths, kebab, plural } from './names.ts';
import { selectFields } from './select-fields.ts';
import { collectionPaths, type ResourcePaths, writeReads } from './write-reads.ts';
import { writeWrites } from './write-writes.ts';

/** Drafts for a graph. */
export interface DraftedDocuments {
  /** One document for each type. */
  readonly documents: readonly RestDocument[];
  /** Root fields without a route, with the reasons. */
  readonly omitted: readonly OmittedField[];
}

export interface DraftOptions {
  /** Returns the reason why the gateway would reject an operation, or undefined. @defaultValue no operation is rejected */
  readonly rejectionOf?: (operation: string) => string | undefined;
}

/**
 * Drafts documents for a graph without REST documents. Connections become pages, lists become lists, objects become resources, and mutations
 * become methods of a resource or actions. Each root field is either drafted or omitted with a reason.
 */
export function draftDocuments(schema: GraphQLSchema, { rejectionOf = () => undefined }: DraftOptions = {}): DraftedDocuments {
  const paths: ResourcePaths = { collectionOf: collectionPaths(schema), used: createUsedPaths(), keys: new Map() };
  const drafts = [...writeReads(schema, paths), ...writeWrites(schema, paths)];
  const { operations, rejected } = withoutProblems(schema, withUniqueNames(drafts.filter(isDrafted)), rejectionOf);
  const omitted = new Map(drafts.flatMap((draft) => (isDrafted(draft) ? [] : [[draft.field, draft]])));
  for (const field of rejected) omitted.set(field.field, field);
  const streams = Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).map((name) => ({
    field: `Subscription.${name}`,
    reason: 'event streams are not drafted',
  }));
  const order = drafts.map(({ field }) => field);
  return {
    documents: toFiles(schema, operations),
    omitted: [...order.flatMap((field) => omitted.get(field) ?? []), ...streams],
  };
}

function withUniqueNames(operations: readonly DraftedOperation[]): readonly DraftedOperation[] {
  const used = new Set<string>();
  return operations.map((operation) => {
    let { name } = operation;
    for (let count = 2; used.has(name); count += 1) name = `${operation.name}${count}`;
    used.add(name);
    return name === operation.name ? operation : { ...operation, name, text: operation.text.replace(operation.name, name) };
  });
}

interface SoundOperations {
  readonly operations: readonly DraftedOperation[];
  readonly rejected: readonly OmittedField[];
}

/** Removes operations that the facade or the gateway rejects, until the others are valid. */
function withoutProblems(
  schema: GraphQLSchema,
  drafted: readonly DraftedOperation[],
  rejectionOf: NonNullable<DraftOptions['rejectionOf']>,
): SoundOperations {
  const rejected: OmittedField[] = [];
  let operations = drafted;
  for (;;) {
    const fragments = fragmentsOf(operations);
    const documents = [
      ...operations.map(({ name, text }) => ({ path: `operation ${name}`, text })),
      ...fragments.map((type) => ({ path: `fragment ${type}`, text: writeFragment(schema, type) })),
    ];
    const { routes, problems } = compileRoutes(documents, schema);
    const reasons = new Map(problems.toReversed().map(({ file, message }) => [file, message]));
    for (const { operationName, operation } of problems.length === 0 ? routes : []) {
      const reason = rejectionOf(print(operation));
      if (reason !== undefined) reasons.set(`operation ${operationName}`, reason);
    }
    const reasonOf = ({ name, text }: DraftedOperation): string | undefined =>
      reasons.get(`operation ${name}`) ??
      spreadsIn(text)
        .map((type) => reasons.get(`fragment ${type}`))
        .find((reason) => reason !== undefined);
    const sound = operations.filter((operation) => reasonOf(operation) === undefined);
    for (const operation of operations) {
      const reason = reasonOf(operation);
      if (reason !== undefined) rejected.push({ field: operation.field, reason: reason.replace(/\.$/, '') });
    }
    if (sound.length === operations.length) return { operations, rejected };
    operations = sound;
  }
}

function spreadsIn(text: string): readonly string[] {
  return [...text.matchAll(/\.\.\.([A-Z_]\w*)/gi)].flatMap(([, name]) => name ?? []);
}

function fragmentsOf(operations: readonly DraftedOperation[]): readonly string[] {
  return [...new Set(operations.flatMap(({ text }) => spreadsIn(text)))];
}

function writeFragment(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  if (type === undefined) throw new Error(`The type ${name} does not exist.`);
  return `fragment ${name} on ${name} { ${selectFields(type)} }`;
}

const HEADER = '# Drafts of `gatefold rest init`. Change names, paths and fields as your clients need them.';

/** Writes one file for each type, with the fragment of the type and the operations on it. */
function toFiles(schema: GraphQLSchema, operations: readonly DraftedOperation[]): readonly RestDocument[] {
  const fragments = fragmentsOf(operations);
  const files = new Map<string, string[]>();
  const add = (subject: string, text: string): void => {
    const path = `${kebab(plural(subject))}.graphql`;
    files.set(path, [...(files.get(path) ?? [HEADER]), text]);
  };
  for (const type of fragments) add(type, print(parse(writeFragment(schema, type))));
  for (const { subject, comments, text } of operations) {
    add(subject, [...comments.map((line) => `# ${line}`), print(parse(text))].join('\n'));
  }
  return [...files].map(([path, parts]) => ({ path, text: `${parts.join('\n\n')}\n` }));
}
