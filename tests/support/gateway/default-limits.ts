import { gatewayConfig } from '../../../gateway/config/sections.ts';

/** What holds where nothing is configured. */
export const DEFAULT_LIMITS = gatewayConfig.parse({}).limits;
