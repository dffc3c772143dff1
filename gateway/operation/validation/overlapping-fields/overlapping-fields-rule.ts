import { type ASTVisitor, type FragmentDefinitionNode, GraphQLError, Kind, type ValidationContext } from 'graphql';
import { createFieldPieces } from './field-pieces.ts';
import { createFieldMerge } from './find-field-conflict.ts';

/**
 * Fields under one response key must be able to be one (GraphQL, section 5.3.2). The verdict is that of graphql-js' rule of this name, for
 * documents in which the other rules find nothing wrong; it is for these only. Its time does not grow with the square of the document:
 * what stands at one response path of an operation is put together once, and each field is held against what is there, not against each
 * other field. One conflict of a path is told.
 */
export function overlappingFieldsRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of context.getDocument().definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const pieces = createFieldPieces(schema, fragments);
  const merge = createFieldMerge(pieces, ({ responseKey, reason, nodes }) => {
    const message = `Fields "${responseKey}" conflict because ${reason}. ${ADVICE}`;
    context.reportError(new GraphQLError(message, { nodes }));
  });
  return {
    OperationDefinition({ operation, selectionSet }) {
      const root = schema.getRootType(operation);
      const obstacle = root ? merge(pieces.ofSet(selectionSet, root)) : undefined;
      if (obstacle !== undefined) context.reportError(new GraphQLError(OBSTACLES[obstacle]));
      return false;
    },
    FragmentDefinition: () => false,
  };
}

const OBSTACLES = {
  'too many fields': 'The document has too many fields that would have to be one.',
  'too deep': 'The document is nested too deeply.',
} as const;

const ADVICE = 'Use different aliases on the fields to fetch both if this was intentional.';
