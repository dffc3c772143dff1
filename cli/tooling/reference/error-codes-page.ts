import { join } from 'node:path';
import { ERROR_CODES, isCodeOfSubgraphs, statusOf } from '../../../gateway/platform/errors.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `${GENERATED}

# Error codes

Every error that the gateway reports has one of these codes, on all transports.

- [Location of the code](#location-of-the-code)
- [Codes](#codes)

## Location of the code

| transport | location |
| --- | --- |
| GraphQL over HTTP, incremental delivery | \`errors[].extensions.code\` |
| REST | \`code\` of the problem details (RFC 9457, \`application/problem+json\`), \`error\` of the plain JSON body |
| WebSocket | \`extensions.code\` in the payload of an \`error\` message |
| server-sent events | \`errors[].extensions.code\` in the data of the last \`next\` event |

The status is that of a REST response, and of a GraphQL response when the operation was not executed. A
GraphQL response with \`data\` has status 200. Codes are stable: a code is not renamed within a major version.

The column "subgraph" marks codes that a subgraph can set in its own errors without configuration; other codes
of subgraphs are replaced, see \`subgraphs.errorCodes\` in the [configuration](configuration.md).

## Codes
`;

/** Generates `docs/reference/error-codes.md` from the catalogue of error codes. */
export function generateErrorCodesPage(root: string = packageRoot): GeneratedFile {
  const rows = ERROR_CODES.toSorted((a, b) => statusOf(a) - statusOf(b)).map((code) => [
    `\`${code}\``,
    String(statusOf(code)),
    ERROR_MEANINGS[code].cause,
    ERROR_MEANINGS[code].action,
    isCodeOfSubgraphs(code) ? 'yes' : '',
  ]);
  return {
    path: join(root, 'docs/reference/error-codes.md'),
    text: `${INTRODUCTION}\n${table(['code', 'status', 'cause', 'action', 'subgraph'], rows)}\n`,
  };
}
