// For other areas of dosing: the stock of a chemical, and the batches that it came in.
export { type Batch, batchesOf, deliveries, lockStock, type Stock, takeIn } from './stock.ts'
