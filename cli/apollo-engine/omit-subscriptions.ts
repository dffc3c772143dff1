import { Kind, OperationTypeNode, parse, print } from 'graphql';
import type { RestDocument } from '../../rest-facade/index.ts';

/** Removes the subscriptions from documents, because the facade serves them only with the Gatefold engine. */
export function omitSubscriptions(documents: readonly RestDocument[]): readonly RestDocument[] {
  return documents.flatMap((document) => {
    const { definitions, ...rest } = parse(document.text);
    const served = definitions.filter(
      (definition) => definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.SUBSCRIPTION,
    );
    if (served.length === definitions.length) return [document];
    return served.length === 0 ? [] : [{ ...document, text: print({ ...rest, definitions: served }) }];
  });
}
