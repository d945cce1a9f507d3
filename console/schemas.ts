/**
 * Replaces TypeBox in the built console. The server validates and documents with the contract's schemas; the console uses only their types,
 * and building thousands of schemas would slow down every page load.
 */
const object = (properties: object) => ({ properties })
const nothing = () => ({})
export const Type = new Proxy({}, { get: (_, kind) => (kind === 'Object' ? object : nothing) })
