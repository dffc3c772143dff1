import { ownerOrAdmin } from '../kit/access-rules.ts';
import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import { type LegacyBackendAccess, lookUpShipment } from './shipment-look-up.ts';
import { shippingCost } from './shipping-cost.ts';

export function createResolvers(backend: LegacyBackendAccess): Resolvers {
  return {
    DateTime: dateTimeScalar,
    Order: {
      shipment({ id, userId }, _args, context) {
        ownerOrAdmin(context, required(userId, 'userId'));
        return lookUpShipment(backend, context, id);
      },
      shippingCost({ userId, qty, total }, { express }, context) {
        ownerOrAdmin(context, required(userId, 'userId'));
        return shippingCost({ qty: required(qty, 'qty'), total: required(total, 'total') }, express ?? false);
      },
    },
  };
}

function required<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Error(`The representation of an order has no field ${field}.`);
  return value;
}
