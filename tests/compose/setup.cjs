// jest's global setup of the project `compose`: the whole stack, once for all its tests.
require('../support/ts-hook.cjs');
const { ComposeStack } = require('../support/compose-stack.ts');

module.exports = async () => {
  globalThis.composeStack = await ComposeStack.create();
  globalThis.composeStack.share();
  try {
    await globalThis.composeStack.up();
  } catch (error) {
    // Without a setup there is no teardown.
    await globalThis.composeStack.down().catch(() => undefined);
    throw error;
  }
};
