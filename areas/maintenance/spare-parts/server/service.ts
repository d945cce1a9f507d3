// Interface for areas that move stock.
export { noteDifference } from './differences.ts'
export { countStock, inThousandths, type Move, moveStock, type OrderColumn, wereSent as partWasMoved } from './ledger.ts'
export { movePast, type PastMove } from './pastLedger.ts'
