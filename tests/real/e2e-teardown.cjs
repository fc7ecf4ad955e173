module.exports = () => globalThis.enginesOfEndToEndTests?.dispose();
