// For other ledgers: what people enter of anything by hour, day and month.
export { entryCheck, type LedgerKind, type Placed, type Slot, type Stored, slotsIn, type Unusual } from './entries.ts'
export { checkData, readLedger, saveLedger } from './ledger.ts'
export { ledgerRoutes } from './ledgerRoutes.ts'
