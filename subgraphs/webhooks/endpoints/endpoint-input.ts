import type { UserError } from '../../kit/writes/user-errors.ts';
import { TargetForbidden, type TargetPolicy, checkTarget } from '../delivery/target-policy.ts';
import type { WebhooksParts } from '../webhooks-parts.ts';
import type { EndpointContent } from './endpoint-content.ts';

type Rules = Pick<WebhooksParts, 'events' | 'targets'>;

/** A merge patch (RFC 7396): absent keeps, and null clears, which no field of an endpoint allows. */
export interface EndpointPatch {
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly isOrdered?: boolean | null | undefined;
  readonly state?: 'ACTIVE' | 'DISABLED' | null | undefined;
}

/** What was sent, with its address written the one way `URL` writes it, and what is wrong with it. */
export interface CheckedContent<Content> {
  readonly content: Content;
  readonly problems: readonly UserError[];
}

/** As many as the column holds. @unit characters */
const MAX_URL_LENGTH = 2_048;

/** Checks an endpoint sent as `argument`. Asks the name servers for the host of its address. */
export async function checkContent<Content extends Partial<EndpointContent>>(
  content: Content,
  argument: 'input' | 'patch',
  { events, targets }: Rules,
): Promise<CheckedContent<Content>> {
  const eventProblems = content.events === undefined ? [] : findEventProblems(content.events, `${argument}.events`, events);
  if (content.url === undefined) return { content, problems: eventProblems };
  const target = await readUrl(content.url, targets);
  if (target instanceof URL) return { content: { ...content, url: target.href }, problems: eventProblems };
  const problem: UserError = { field: `${argument}.url`, message: target.message, code: 'WEBHOOK_URL_FORBIDDEN' };
  return { content, problems: [problem, ...eventProblems] };
}

/** The fields that a patch names, or the problems of those that cannot be null. */
export function readEndpointPatch(patch: EndpointPatch): CheckedContent<Partial<EndpointContent>> {
  const { url, events, isOrdered } = patch;
  const problems = (['url', 'events', 'isOrdered', 'state'] as const)
    .filter((name) => patch[name] === null)
    .map((name): UserError => ({ field: `patch.${name}`, message: 'It cannot be null: leave it out to keep it.', code: 'BAD_USER_INPUT' }));
  return {
    content: { ...(url == null ? {} : { url }), ...(events == null ? {} : { events }), ...(isOrdered == null ? {} : { isOrdered }) },
    problems,
  };
}

async function readUrl(text: string, policy: TargetPolicy): Promise<URL | TargetForbidden> {
  try {
    const url = await checkTarget(text, policy);
    return url.href.length > MAX_URL_LENGTH ? new TargetForbidden('It is too long.') : url;
  } catch (error) {
    if (error instanceof TargetForbidden) return error;
    throw error;
  }
}

function findEventProblems(events: readonly string[], field: string, known: ReadonlySet<string>): readonly UserError[] {
  const code = 'BAD_USER_INPUT';
  if (events.length === 0) return [{ field, message: 'Name at least one event.', code }];
  if (new Set(events).size < events.length) return [{ field, message: 'It names an event twice.', code }];
  if (events.every((event) => known.has(event))) return [];
  return [{ field, message: `It names an event that there is not. There are ${[...known].toSorted().join(', ')}.`, code }];
}
