module.exports = () => globalThis.mongodbWireOfServices?.dispose();
