import { examples, openApiDocument, publicApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { GatewayConfig } from '../config.js';

/** Describes what this version of the interface is, so it changes with the software only. */
const interfaceVersion = '1';

/** Made once, when first asked for. */
export function showOpenApi(deps: {
  config: Pick<GatewayConfig, 'publicUrl' | 'brandName' | 'cookieName'>;
}): Handler<typeof publicApi.showOpenApi> {
  let document: { openapi: string } | undefined;
  return async (_input, _context, exchange) => {
    document ??= openApiDocument(publicApi, examples, {
      title: deps.config.brandName,
      version: interfaceVersion,
      serverUrl: deps.config.publicUrl,
      cookieName: deps.config.cookieName,
    }) as { openapi: string };
    exchange.setHeader('Cache-Control', 'public, max-age=60');
    return document;
  };
}
