/**
 * In the built console in place of TypeBox: the contract's schemas are what the server checks and documents with. Here only their types are
 * used, and making thousands of them would cost every visit.
 */
const object = (properties: object) => ({ properties })
const nothing = () => ({})
export const Type = new Proxy({}, { get: (_, kind) => (kind === 'Object' ? object : nothing) })
