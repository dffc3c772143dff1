/**
 * Compares the connectors with a checkout of the public corpus of connectors (github.com/apollographql/router): the results of mappings, the
 * validation of schemas, the expansion of composed schemas, the black-box plans, and the tests of the router. Plans and tests run a gateway
 * over HTTP, and back ends with the recorded responses.
 *
 * Duration: about 2 minutes
 *
 * - `CONNECT_DIR`: the checkout, or its git directory. It has no default. Without it, nothing is compared and the command exits with 2.
 * - `CONNECT_VERBOSE`: if it is set, the runs of the corpus whose expectation could not be read are listed.
 */
import { proveBlackBoxPlans } from './connect/black-box-plans.ts';
import { openCheckout } from './connect/checkout.ts';
import { proveComposedSchemas } from './connect/composed-schemas.ts';
import { proveRouterTests } from './connect/router-tests.ts';
import { proveSelectionCases } from './connect/selection-cases.ts';
import { proveValidationCases } from './connect/validation-cases.ts';

const SECTIONS = [proveSelectionCases, proveValidationCases, proveComposedSchemas, proveBlackBoxPlans, proveRouterTests];

const directory = process.env['CONNECT_DIR'];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (directory === undefined || directory === '') {
  print('Nothing was compared: CONNECT_DIR does not name a checkout of the corpus.');
  process.exitCode = 2;
} else {
  const checkout = openCheckout(directory);
  const results: boolean[] = [];
  for (const prove of SECTIONS) results.push(await prove(checkout, print));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
