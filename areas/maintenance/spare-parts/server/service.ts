// For areas that move stock.
export { countStock, inThousandths, type Move, moveStock } from './ledger.ts'
