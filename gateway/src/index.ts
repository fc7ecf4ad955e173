export { type GatewayConfig, loadGatewayConfig } from './config.js';
export { createGateway, type Gateway, type GatewayDeps } from './gateway.js';
export {
  createGatewayProcess,
  type GatewayProcess,
  type GatewayProcessOptions,
  loadGatewayProcessConfig,
} from './gateway-process.js';
export { createMetricsServer } from './metrics-server.js';
