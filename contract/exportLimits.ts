/** The console waits for exports below these limits (rows, ms) and saves the file. Longer ones go to the tray. */
export const sheetWait = { rows: 10_000, ms: 20_000 } as const
/** Rows of one file, and of one sheet that is imported; a person's tasks that run, wait and are kept; hours a file is kept. */
export const exportLimits = { rows: 1_000_000, importRows: 50_000, running: 2, waiting: 8, kept: 20, hours: 24 } as const
