// For areas that move stock.
export { countStock, type Move, moveStock } from './ledger.ts'
