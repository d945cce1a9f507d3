import { expect, it } from 'vitest'
import { emptyPush, tooShort } from './pushDraft.ts'

it.each([
  ['off', {}, [60], undefined],
  ['longer than every period', { AntiShakeDuration: 5 }, [1, 0.5], undefined],
  ['as long as the slowest', { AntiShakeDuration: 5 }, [5], undefined],
  ['shorter than the slowest', { AntiShakeDuration: 5 }, [1, 60], 60],
  ['minutes', { AntiShakeDuration: 2, AntiShakeUnit: 2 }, [60], undefined],
  ['without points', { AntiShakeDuration: 5 }, [], undefined],
] as const)('the window of the anti-shake: %s', (_, push, periods, seconds) => {
  expect(tooShort({ ...emptyPush, ...push }, periods)).toBe(seconds)
})
