import { expect, it } from '@jest/globals';
import { createRandom } from '../../../support/random/random.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { routes, sharedPath, titled } from '../every-route/reference-routes.ts';
import { namesIn, project, randomFields } from './random-fields.ts';
import { readAlongside } from './read-alongside.ts';

/** Seed of the random choices. The environment can set it, and the title shows the current value. */
const SEED = Number(process.env['FIELDS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHOICES = 5;

const reads = titled(routes.filter(({ method }) => method === 'GET'));

describeOnStack(`the fields parameter of every read route, seed ${String(SEED)}`, (stack) => {
  const { http, tokens } = stack;
  const token = tokens.admin;

  /** Returns the resource, or the items of the page. */
  const shownOf = async (path: string): Promise<unknown> => {
    const { status, text, body } = await http.get(path, { token });
    if (status !== 200) throw new Error(`${path} returned ${String(status)}: ${text}`);
    return 'data' in body ? body['data'] : body;
  };

  it.each(reads)('%s returns exactly the selected fields of the whole resource', async (_title, route) => {
    const random = createRandom(SEED);
    const path = `${await sharedPath(route, stack)}${route.result.isPage ? '?size=5&' : '?'}`;
    const names = namesIn(await shownOf(path));
    for (let choice = 0; choice < CHOICES && names.size > 0; choice += 1) {
      const { text, wanted } = randomFields(names, random);
      const { whole, part } = await readAlongside(
        () => shownOf(path),
        () => shownOf(`${path}fields=${text}`),
      );
      expect({ text, part: JSON.stringify(part) }).toEqual({ text, part: JSON.stringify(project(whole, wanted)) });
    }
    const { whole, part } = await readAlongside(
      () => shownOf(path),
      () => shownOf(`${path}fields=*`),
    );
    expect(part).toEqual(whole);
  });

  it('most read routes return more than one field', async () => {
    const sizes = await Promise.all(reads.map(async ([, route]) => namesIn(await shownOf(await sharedPath(route, stack))).size));
    expect(sizes.filter((size) => size > 1).length).toBeGreaterThanOrEqual(reads.length - 2);
  });
});
