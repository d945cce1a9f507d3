// For areas that move stock.
export { countStock, inThousandths, type Move, moveStock } from './ledger.ts'
export { movePast, type PastMove } from './pastLedger.ts'
