import { print } from 'graphql';
import { costModeFor } from '../../gateway/operation/limits/limit-mode.ts';
import { followManifests } from '../../gateway/persisted/follow-manifests.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { ProductConfig } from '../configuration.ts';
import { createPriceDocument, type PriceDocument } from './price-document.ts';

/** An operation that is served, with its maximum cost. */
export interface Priced {
  readonly kind: 'route' | 'document';
  /** `GET /users/{id}`, or the id of a document. */
  readonly subject: string;
  readonly client?: string;
  readonly operation: string;
  /** @unit points */
  readonly cost: number;
  /** Whether variables of the client can reduce the cost. */
  readonly isVarying: boolean;
}

/** The served operations, and the errors of those that cannot be served. */
export interface Findings {
  readonly priced: readonly Priced[];
  readonly issues: readonly string[];
}

/**
 * Checks every configured operation against a supergraph.
 *
 * @throws ConfigurationInvalid if a manifest is invalid
 */
export async function checkOperations(config: ProductConfig, loaded: LoadedSupergraph): Promise<Findings> {
  const price = createPriceDocument(config, loaded);
  const { priced, issues } = together([await checkRoutes(config, loaded, price), await checkManifests(config, price)]);
  return { priced, issues: [...unknownFields(config, loaded), ...issues, ...neverServed(config, loaded, priced)] };
}

function together(findings: readonly Findings[]): Findings {
  return { priced: findings.flatMap(({ priced }) => priced), issues: findings.flatMap(({ issues }) => issues) };
}

function unknownFields({ limits, idempotency }: ProductConfig, { schema }: LoadedSupergraph): readonly string[] {
  const isUnknown = (coordinate: string): boolean => {
    const [typeName = '', field = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    return type === undefined || !('getFields' in type) || type.getFields()[field] === undefined;
  };
  const named = { 'limits.singleUse': limits.singleUse, 'idempotency.noStore': idempotency.noStore };
  return Object.entries(named).flatMap(([setting, coordinates]) =>
    coordinates
      .filter(isUnknown)
      .map((coordinate) => `${setting}: The supergraph has no field ${coordinate}. Correct or remove the entry.`),
  );
}

async function checkRoutes({ rest }: ProductConfig, { schema }: LoadedSupergraph, price: PriceDocument): Promise<Findings> {
  if (rest === undefined) return { priced: [], issues: [] };
  const { compileRoutes, printTemplate, readRestDocuments } = await import('../../rest-facade/index.ts');
  const { routes, problems } = compileRoutes(readRestDocuments(rest.documents), schema);
  // Only their presence is checked: the gateway describes webhooks, and the service that sends them compiles them.
  if (rest.webhooks !== undefined) readRestDocuments(rest.webhooks, 'rest.webhooks');
  const issues = problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column}: ${message} ${hint}`);
  const checked = routes.map(({ method, template, operation }) => {
    const subject = `${method} ${printTemplate(template)}`;
    return checkDocument(price, print(operation), subject, (priced) => ({ kind: 'route', subject, ...priced }));
  });
  return together([{ priced: [], issues }, ...checked]);
}

async function checkManifests({ persisted }: ProductConfig, price: PriceDocument): Promise<Findings> {
  await using manifests = followManifests(persisted, silentLogger);
  const checked = [...manifests.all()].map(({ id, text, client }) =>
    checkDocument(price, text, `${client}, document ${id}`, (priced) => ({ kind: 'document', subject: id, client, ...priced })),
  );
  return together(checked);
}

function checkDocument(
  price: PriceDocument,
  text: string,
  subject: string,
  toPriced: (operation: Pick<Priced, 'operation' | 'cost' | 'isVarying'>) => Priced,
): Findings {
  try {
    return { priced: price(text).map(({ name, cost, isVarying }) => toPriced({ operation: name, cost, isVarying })), issues: [] };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { priced: [], issues: [`${subject}: ${error.message} [${error.code}]`] };
  }
}

/** Reports operations that exceed the cost limit with any variables. */
function neverServed({ limits }: ProductConfig, { costRules }: LoadedSupergraph, priced: readonly Priced[]): readonly string[] {
  if (costModeFor(costRules, limits) === 'measure') return [];
  return priced
    .filter(({ cost, isVarying }) => cost > limits.maxCost && !isVarying)
    .map(
      ({ subject, operation, cost }) => `${subject}: ${operation} costs ${cost} points, which exceeds limits.maxCost (${limits.maxCost}).`,
    );
}
