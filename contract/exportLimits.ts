/** Rows of one file, and of one sheet that is imported; a person's tasks that run, wait and are kept; hours a file is kept. */
export const exportLimits = { rows: 1_000_000, importRows: 50_000, running: 2, waiting: 8, kept: 20, hours: 24 } as const
