// Interface for areas that plan rounds, and for queued steps of phones.
export { patrol, visit } from './rounds.ts'
