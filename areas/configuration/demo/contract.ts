/** The gateway of the demo company, by which its devices are known whatever they are called. */
export const demoSN = 'PENSTOCKDEMO'
