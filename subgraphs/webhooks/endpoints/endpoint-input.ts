import type { UserError } from '../../kit/writes/user-errors.ts';
import { TargetForbidden, type TargetPolicy, checkTarget } from '../delivery/target-policy.ts';
import type { WebhooksDependencies } from '../webhooks-dependencies.ts';
import type { EndpointContent } from './endpoint-content.ts';

type Rules = Pick<WebhooksDependencies, 'events' | 'targets'>;

/** A merge patch (RFC 7396): an absent field is unchanged. Null would clear a field, which no field of an endpoint allows. */
export interface EndpointPatch {
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly isOrdered?: boolean | null | undefined;
  readonly state?: 'ACTIVE' | 'DISABLED' | null | undefined;
}

/** Input with a normalized URL, and its errors. */
export interface CheckedContent<Content> {
  readonly content: Content;
  readonly problems: readonly UserError[];
}

/** Maximum length of a URL, limited by the column. @unit characters */
const MAX_URL_LENGTH = 2_048;

/** Validates an endpoint in the argument `argument`. It resolves the host of its URL by DNS. */
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

/** Reads the fields that a patch sets, and the errors for fields that cannot be null. */
export function readEndpointPatch(patch: EndpointPatch): CheckedContent<Partial<EndpointContent>> {
  const { url, events, isOrdered } = patch;
  const problems = (['url', 'events', 'isOrdered', 'state'] as const)
    .filter((name) => patch[name] === null)
    .map(
      (name): UserError => ({
        field: `patch.${name}`,
        message: 'This field cannot be null. Omit it to leave it unchanged.',
        code: 'BAD_USER_INPUT',
      }),
    );
  return {
    content: { ...(url == null ? {} : { url }), ...(events == null ? {} : { events }), ...(isOrdered == null ? {} : { isOrdered }) },
    problems,
  };
}

async function readUrl(text: string, policy: TargetPolicy): Promise<URL | TargetForbidden> {
  try {
    const url = await checkTarget(text, policy);
    return url.href.length > MAX_URL_LENGTH ? new TargetForbidden('The URL is too long; at most 2048 characters are allowed.') : url;
  } catch (error) {
    if (error instanceof TargetForbidden) return error;
    throw error;
  }
}

function findEventProblems(events: readonly string[], field: string, known: ReadonlySet<string>): readonly UserError[] {
  const code = 'BAD_USER_INPUT';
  if (events.length === 0) return [{ field, message: 'List at least one event.', code }];
  if (new Set(events).size < events.length) return [{ field, message: 'The list contains an event twice.', code }];
  if (events.every((event) => known.has(event))) return [];
  return [{ field, message: `The list contains an unknown event. The events are ${[...known].toSorted().join(', ')}.`, code }];
}
