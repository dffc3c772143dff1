import type { DocumentNode, GraphQLSchema } from 'graphql';
import { OperationRejected, type RequestError } from '../../gateway/operation/operation-rejected.ts';
import { validateDocument } from '../../gateway/operation/validation/validate-document.ts';
import type { SchemaChange } from './compare-schemas.ts';
import type { SchemaPair } from './find-broken-routes.ts';
import { describeUser, type SchemaUser, type UsingDocument } from './schema-user.ts';

const SETTINGS = { maxErrors: 100, hideSuggestions: false };

/** Documents that were valid, and the errors that the new schema causes in them. */
export interface CheckedDocuments {
  readonly valid: readonly UsingDocument[];
  readonly changes: readonly SchemaChange[];
}

/** Validates persisted documents and webhook documents. Documents that are invalid for the old schema are omitted. */
export function findBrokenDocuments(documents: readonly UsingDocument[], { previous, next }: SchemaPair): CheckedDocuments {
  const valid = documents.filter(({ document }) => errorsOf(previous, document).length === 0);
  return { valid, changes: valid.flatMap(({ user, document }) => errorsOf(next, document).map((error) => toChange(user, error))) };
}

function errorsOf(schema: GraphQLSchema, document: DocumentNode): readonly RequestError[] {
  try {
    validateDocument(schema, document, SETTINGS);
    return [];
  } catch (error) {
    if (error instanceof OperationRejected) return error.errors;
    throw error;
  }
}

function toChange(user: SchemaUser, { message, locations: [first] = [] }: RequestError): SchemaChange {
  const position = first === undefined ? '' : `:${first.line}:${first.column}`;
  if (user.kind === 'webhook') {
    const path = `${user.file}${position}`;
    return { severity: 'breaking', type: 'WEBHOOK_DOCUMENT_INVALID', path, message: `${path}: ${message}`, usedBy: [user] };
  }
  const name = describeUser(user);
  const path = user.kind === 'document' ? `${user.client} ${user.id}${position}` : name;
  const where = first === undefined ? '' : ` at line ${first.line}, column ${first.column}`;
  return {
    severity: 'breaking',
    type: 'DOCUMENT_INVALID',
    path,
    message: `The ${name} is invalid${where}: ${message}`,
    usedBy: [user],
  };
}
