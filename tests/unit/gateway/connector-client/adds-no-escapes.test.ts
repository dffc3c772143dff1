import { describe, expect, it } from '@jest/globals';
import { addsNoEscapes } from '../../../../gateway/connector-client/adds-no-escapes.ts';
import { parseSelection } from '../../../../gateway/connectors/selection/parse-selection.ts';

describe('addsNoEscapes', () => {
  it.each([
    'id name',
    'items { id code: code->match(["a", "A"], [@, "none"]) }',
    'id: $status->toString',
    'day: $([d->slice(0, 2), "-", d->slice(3)])->joinNotNull("")',
  ])('is true for values of the response and plain literals: %s', (text) => {
    expect(addsNoEscapes(parseSelection(text, '0.3'))).toBe(true);
  });

  it.each([
    'id name: $args.name',
    'id: $this.id',
    'token: $config.token',
    'text: data->jsonStringify',
    'value: data->jsonParse',
    `quoted: $('"')`,
    'name: $response.headers.name->first',
    'name: value->as($name)->echo($name)',
  ])('is false for other values: %s', (text) => {
    expect(addsNoEscapes(parseSelection(text, '0.3'))).toBe(false);
  });
});
