// What reports take of figures.
export { reasonText, standardOf } from './figures.ts'
