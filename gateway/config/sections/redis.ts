import { z } from 'zod';
import { REDIS_ADDRESSES, readRedisAddresses } from '../../platform/redis-addresses.ts';

const file = (description: string) => z.string().min(1).optional().meta({ description, path: true });

const name = (description: string) => z.string().min(1).optional().meta({ description });

const secret = (description: string) => z.string().min(1).optional().meta({ description, secret: true });

/** Section `redis`: the Redis that gateways share. */
export const redis = z
  .strictObject({
    url: z.string().regex(REDIS_ADDRESSES).optional().meta({
      description:
        'URL of the Redis that all gateways of the graph share. A comma-separated list names nodes of a Cluster, or Sentinels, such as `redis+sentinel://one:26379/mymaster,redis+sentinel://two:26379`.',
      expected:
        'a URL that starts with redis://, rediss://, redis+sentinel:// or rediss+sentinel://, or a comma-separated list of such URLs',
      secret: true,
    }),
    username: name('User name for all nodes, unless `redis.url` contains one. Default: the default user of Redis.'),
    password: secret('Password for all nodes, unless `redis.url` contains one.'),
    sentinelUsername: name('User name for the Sentinels. Default: the default user.'),
    sentinelPassword: secret('Password for the Sentinels. They do not receive the password of the nodes. Default: none is sent.'),
    tls: z
      .strictObject({
        caFile: file('File with the certificate authorities to trust (PEM). Default: the certificate authorities of Node.js.'),
        certificateFile: file('File with the client certificate (PEM).'),
        keyFile: file('File with the private key of the client certificate (PEM).'),
        serverName: name('Server name that the certificates of all nodes must contain. Default: the host of each node.'),
      })
      .refine(({ certificateFile, keyFile }) => (certificateFile === undefined) === (keyFile === undefined), {
        error: 'set both certificateFile and keyFile, or neither',
      })
      .optional()
      .meta({ description: 'TLS settings for URLs that start with `rediss`. The files are read at the start.' }),
  })
  .superRefine((section, context) => {
    for (const [path, message] of mistakesOf(section)) context.addIssue({ code: 'custom', path: [path], message });
  });

interface RedisSection {
  readonly url?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly sentinelUsername?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  readonly tls?: object | undefined;
}

function mistakesOf(section: RedisSection): readonly (readonly [key: keyof RedisSection, message: string])[] {
  const { url, username, password, sentinelUsername, sentinelPassword, tls } = section;
  if (url === undefined || !REDIS_ADDRESSES.test(url)) return [];
  const addresses = readRedisAddresses(url);
  const isForSentinels = sentinelUsername !== undefined || sentinelPassword !== undefined;
  const mistakes: (readonly [keyof RedisSection, string])[] = [];
  if (password !== undefined && addresses.password !== undefined)
    mistakes.push(['password', 'the password is also in redis.url; set only one']);
  if (username !== undefined && addresses.username !== undefined)
    mistakes.push(['username', 'the user name is also in redis.url; set only one']);
  if (isForSentinels && addresses.kind !== 'sentinels')
    mistakes.push([sentinelPassword === undefined ? 'sentinelUsername' : 'sentinelPassword', 'redis.url names no Sentinels']);
  if (tls !== undefined && !addresses.isTls) mistakes.push(['tls', 'redis.url does not use TLS; expected rediss:// or rediss+sentinel://']);
  return mistakes;
}

/** Section `redis` with its defaults. */
export type RedisConfig = z.output<typeof redis>;
