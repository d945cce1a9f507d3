// For areas that plan rounds.
export { patrol, visit } from './rounds.ts'
