module.exports = () => globalThis.composeStack?.down();
