import { type Finding, failed, ok } from './finding.js';

/** The least that package.json asks for. */
export async function checkNode(version = process.versions.node): Promise<Finding[]> {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > 20 || (major === 20 && minor >= 19);
  if (!enough) return [failed('node', `this is Node ${version}`, 'Install Node 20.19 or later.')];
  return [ok('node', version)];
}
