// For areas that move stock.
export { countStock, inThousandths, type Move, moveStock, wereSent as partWasMoved } from './ledger.ts'
export { movePast, type PastMove } from './pastLedger.ts'
