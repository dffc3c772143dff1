import { Kind, OperationTypeNode, parse, print } from 'graphql';
import type { RestDocument } from '../../rest-facade/index.ts';

/** The documents without their subscriptions, which the facade serves in front of our own gateway only. */
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
