import type { IncomingHttpHeaders } from 'node:http';

/** Headers of one request as Node parses them: lower-case names, `undefined` where absent. */
export type RequestHeaders = Readonly<IncomingHttpHeaders>;
