import { createServer } from 'node:http';
import { createUpstream } from './upstream.js';

// A gateway written by hand for the operations of this benchmark only, without parser, plan and checks. It sends one request per subgraph
// and wave, fetches each entity once, and merges responses by assignment.

const { port, subgraphs } = JSON.parse(process.argv[2]);
const accounts = createUpstream(subgraphs.accounts);
const inventory = createUpstream(subgraphs.inventory);
const products = createUpstream(subgraphs.products);
const reviews = createUpstream(subgraphs.reviews);

const request = (query, variables) => JSON.stringify({ query, variables });
const dataOf = (text) => JSON.parse(text).data;

const REVIEWS = 'reviews{id body author{id username reviews{id body product{upc}}}}';
const BIG_REVIEWS =
  `query($u:[_Any!]!,$p:[_Any!]!){u:_entities(representations:$u){...on User{reviews{id body product{upc ${REVIEWS}}}}}` +
  `p:_entities(representations:$p){...on Product{${REVIEWS}}}}`;
const BIG_USERS = request('{users{id username name}}');
const BIG_PRODUCTS = request('{topProducts{upc name price weight}}');
const NAMES = 'query($r:[_Any!]!){_entities(representations:$r){...on User{name}}}';
const DETAILS = 'query($r:[_Any!]!){_entities(representations:$r){...on Product{name price weight}}}';
const STOCK = 'query($r:[_Any!]!){_entities(representations:$r){...on Product{inStock shippingEstimate}}}';

async function respondBig() {
  const [{ users }, { topProducts }] = (await Promise.all([accounts(BIG_USERS), products(BIG_PRODUCTS)])).map(dataOf);
  const merged = dataOf(
    await reviews(
      request(BIG_REVIEWS, {
        u: users.map(({ id }) => ({ __typename: 'User', id })),
        p: topProducts.map(({ upc }) => ({ __typename: 'Product', upc })),
      }),
    ),
  );
  const authors = new Map();
  const details = new Map(topProducts.map(({ upc, name, price, weight }) => [upc, { name, price, weight }]));
  const seen = (known, key) => known.get(key) ?? known.set(key, {}).get(key);
  for (const { reviews } of merged.u) for (const { product } of reviews) collect(product, authors, details, seen);
  for (const { reviews } of merged.p) collect({ reviews }, authors, details, seen);

  const missing = [...details].filter(([, { name }]) => name === undefined).map(([upc]) => upc);
  const [named, described] = await Promise.all([
    accounts(request(NAMES, { r: [...authors.keys()].map((id) => ({ __typename: 'User', id })) })),
    missing.length === 0 ? undefined : products(request(DETAILS, { r: missing.map((upc) => ({ __typename: 'Product', upc })) })),
  ]);
  const authorsInOrder = [...authors.values()];
  let index = 0;
  for (const { name } of dataOf(named)._entities) authorsInOrder[index++].name = name;
  index = 0;
  for (const entity of described === undefined ? [] : dataOf(described)._entities) Object.assign(details.get(missing[index++]), entity);

  const all = [...details];
  const stocked = dataOf(
    await inventory(request(STOCK, { r: all.map(([upc, { price, weight }]) => ({ __typename: 'Product', upc, price, weight })) })),
  );
  index = 0;
  for (const { inStock, shippingEstimate } of stocked._entities) {
    const [upc, detail] = all[index++];
    detail.shaped = { inStock, name: detail.name, price: detail.price, shippingEstimate, upc, weight: detail.weight };
  }

  const shapeReviews = (list) =>
    list.map(({ id, body, author }) => ({
      id,
      body,
      author: {
        id: author.id,
        username: author.username,
        name: authors.get(author.id).name,
        reviews: author.reviews.map(({ id, body, product }) => ({ id, body, product: details.get(product.upc).shaped })),
      },
    }));
  const withReviews = (upc, list) => ({ ...details.get(upc).shaped, reviews: shapeReviews(list) });
  return JSON.stringify({
    data: {
      users: users.map(({ id, username, name }, position) => ({
        id,
        username,
        name,
        reviews: merged.u[position].reviews.map(({ id, body, product }) => ({
          id,
          body,
          product: withReviews(product.upc, product.reviews),
        })),
      })),
      topProducts: topProducts.map(({ upc }, position) => withReviews(upc, merged.p[position].reviews)),
    },
  });
}

function collect(product, authors, details, seen) {
  if (product.upc !== undefined) seen(details, product.upc);
  for (const { author } of product.reviews) {
    seen(authors, author.id);
    for (const { product } of author.reviews) seen(details, product.upc);
  }
}

const TOP = 'query($first:Int){topProducts(first:$first){upc name price weight}}';
const TOP_REVIEWS =
  'query($r:[_Any!]!){_entities(representations:$r){...on Product{reviews{id author{id username numberOfReviews}product{upc}}}}}';

async function respondMedium(first, key) {
  const { topProducts } = dataOf(await products(request(TOP, { first })));
  const { _entities } = dataOf(await reviews(request(TOP_REVIEWS, { r: topProducts.map(({ upc }) => ({ __typename: 'Product', upc })) })));
  return JSON.stringify({
    data: {
      topProducts: topProducts.map(({ upc, name, price, weight }, position) => ({
        upc,
        [key]: name,
        price,
        weight,
        reviews: _entities[position].reviews,
      })),
    },
  });
}

const TINY = request('{me{id name username}}');

// The response is parsed and serialized again, like every other response. `floor-proxy` passes the subgraph's text through.
async function respondTiny() {
  const { me } = dataOf(await accounts(TINY));
  return JSON.stringify({ data: { me: { id: me.id, name: me.name, username: me.username } } });
}

function respond({ query, variables }) {
  if (query.includes('Big')) return respondBig();
  if (!query.includes('Medium')) return respondTiny();
  const first = /first: (\d+)/.exec(query)?.[1];
  return respondMedium(first === undefined ? variables.first : Number(first), /(a\d+): name/.exec(query)?.[1] ?? 'name');
}

createServer((request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      void serveRequest(response, Buffer.concat(chunks).toString());
    });
}).listen(port, '127.0.0.1');

async function serveRequest(response, body) {
  const text = await respond(JSON.parse(body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
