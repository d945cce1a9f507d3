// After each file of journeys, also one that failed on its way: its windows close, and the next one has its turn.
import { afterAll } from 'vitest'
import { closeWindows } from './browser.ts'
import { giveTurn } from './turn.ts'

afterAll(async () => {
  await giveTurn()
  await closeWindows()
})
