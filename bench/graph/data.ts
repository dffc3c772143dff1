/** Data of the four subgraphs: few entities with many references between them, as in a shop. */

export interface User {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly birthday: number;
}

export interface Product {
  readonly upc: string;
  readonly name: string;
  readonly price: number;
  readonly weight: number;
}

export interface Review {
  readonly id: string;
  readonly body: string;
  readonly author: string;
  readonly product: string;
}

export const users: readonly User[] = [
  ['Amina Okafor', 'amina', 1987],
  ['Bjarne Holm', 'bholm', 1974],
  ['Chiara Rossi', 'crossi', 1990],
  ['Dmitri Ivanov', 'dmitri', 1982],
  ['Eun-ji Park', 'eunji', 1995],
  ['Farid Haddad', 'farid', 1968],
].map(([name, username, birthday], index) => ({
  id: `u${index + 1}`,
  name: String(name),
  username: String(username),
  birthday: Number(birthday),
}));

export const products: readonly Product[] = [
  ['Oak writing desk', 899, 100],
  ['Three-seat sofa', 1299, 1000],
  ['Kitchen chair', 54, 50],
  ['Reading lamp', 120, 12],
  ['Wool carpet, two by three metres', 640, 210],
  ['Wardrobe with a mirror', 1780, 900],
  ['Coffee table', 260, 140],
  ['Bookshelf of ash', 430, 320],
  ['Bedside table', 95, 60],
].map(([name, price, weight], index) => ({ upc: `p${index + 1}`, name: String(name), price: Number(price), weight: Number(weight) }));

const OPINIONS = [
  'Stands firm and looks better than the picture of it. We carried it up four flights of stairs, and it was worth every one of them; the drawers run as on the first day, and the top has taken neither stain nor scratch from two children.',
  'It took an afternoon to put together, and one screw was left over in the end. Nobody has found out yet where it belongs, and nothing has come apart since. The manual has pictures only, of which the fourth one is upside down.',
  'Good value. There are better ones for twice the money and worse ones for the same, so I would take it again without thinking about it for long. The one thing that I miss is a place to put the cable through.',
  'The colour is not what I had expected, but I have grown to like it. In the evening light it is the one of the picture, in the morning it is another one altogether. Ask for a piece of the fabric before you decide on the colour.',
  'Arrived with a scratch; the shop sent another one within the week and never asked for the first, which now stands in the cellar and holds jars. The people who brought it took the old one along and the boxes as well.',
  'Would buy again. My sister has bought the same after a visit, and her neighbour after a visit to her, so it seems that one can hardly go wrong with it. The smell of the varnish is gone after a week with an open window.',
  'Too large for the room, which is hardly its own fault. Measure the door before you order, and the hallway, and the corner behind the hallway as well. We have moved the piano for it and are not unhappy with the result.',
  'It replaced one that had served for thirty years. Ask me again in thirty more; until now there is nothing to say against it, and some things to say for it. The feet can be screwed to the height that an old and crooked floor needs.',
] as const;

/** Author and product of every review, by position. */
const WRITTEN: readonly (readonly [author: number, product: number])[] = [
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 4],
  [2, 1],
  [2, 5],
  [3, 6],
  [3, 2],
  [4, 7],
  [5, 8],
  [6, 9],
  [3, 4],
  [4, 1],
];

export const reviews: readonly Review[] = WRITTEN.map(([author, product], index) => ({
  id: `r${index + 1}`,
  body: OPINIONS[index % OPINIONS.length] ?? '',
  author: `u${author}`,
  product: `p${product}`,
}));

/** Products that are sold out. */
export const soldOut: ReadonlySet<string> = new Set(['p3', 'p6']);
