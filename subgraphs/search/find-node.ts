import { sql as raw } from 'drizzle-orm';
import { requireUser } from '../kit/access-rules.ts';
import { isRowId } from '../kit/ids.ts';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';

/** Types, by the prefix of an id. */
const TYPES = ['User', 'Post', 'Comment', 'Book', 'Order', 'Payment', 'Webhook', 'WebhookDelivery'] as const;

type NodeType = (typeof TYPES)[number];

export type FoundNode = { readonly [Type in NodeType]: { readonly __typename: Type; readonly id: string } }[NodeType];

/**
 * Returns a reference to an entity by `Type:id`; null when it does not exist. Permissions are those of its type and fields, which the
 * gateway and the owning subgraphs enforce. Most types require authentication, so the interface requires it too.
 *
 * @throws GraphQLError `BAD_USER_INPUT` for an id without a known type, `UNAUTHENTICATED`
 */
export async function findNode(context: RequestContext, globalId: string): Promise<FoundNode | null> {
  requireUser(context);
  const [, type = '', id = ''] = /^([A-Za-z]{1,40}):(.{1,40})$/s.exec(globalId) ?? [];
  const named = TYPES.find((known) => known === type);
  if (named === undefined) {
    throw clientError('BAD_USER_INPUT', `\`id\` must be a type and an id, such as \`Order:12\`. The types are ${TYPES.join(', ')}.`);
  }
  if (!isRowId(id)) return null;
  const { rows } = await context.database.sql.execute(raw`select 1 from search.nodes where type = ${named} and id = ${id}::bigint limit 1`);
  return rows.length === 0 ? null : { __typename: named, id };
}
