/** The demo company's gateway. It identifies the demo devices even if people rename them. */
export const demoSN = 'PENSTOCKDEMO'
