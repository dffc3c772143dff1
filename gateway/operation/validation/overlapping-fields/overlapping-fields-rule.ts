import { type ASTVisitor, type FragmentDefinitionNode, GraphQLError, Kind, type ValidationContext } from 'graphql';
import { createFieldPieces } from './field-pieces.ts';
import { createFieldMerge } from './find-field-conflict.ts';

/**
 * Requires that fields with one response key can be merged (GraphQL, section 5.3.2). Accepts the same documents as the graphql-js rule of
 * this name. Run it only after all other rules found no error. The time is not quadratic in the document: the fields at one response path
 * are collected once, and each field is compared to the whole group. Reports one conflict per path.
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
  'too many fields': 'The document has too many fields with the same response key.',
  'too deep': 'The document is nested too deeply.',
} as const;

const ADVICE = 'Use different aliases on the fields to fetch both if this was intentional.';
