// The console's own client of the hub against the hub.
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { Hub } from '../console/live/hub.ts'
import { applyLanguage, startWords } from '../console/words/words.ts'
import type { LiveValue } from '../contract/hub.ts'
import { startHub } from '../server/live/harness.ts'
import { standardLimits } from '../server/live/limits.ts'

vi.stubGlobal('localStorage', { getItem: () => 'root', setItem: () => undefined })
// Other files share this process.
afterAll(() => vi.unstubAllGlobals())

let harness: Awaited<ReturnType<typeof startHub>>
let console: Hub
const open = async (options: Parameters<typeof startHub>[0] = {}) => {
  harness = await startHub(options)
  console = new Hub(harness.url)
}
afterEach(async () => {
  await console?.stop()
  await harness?.stop()
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const heard = () => {
  const values = new Map<number, number | null>()
  console.on('Values', (push) => {
    for (const [id, , value] of push.Values) values.set(id, value)
  })
  return values
}
const say = (ids: number[], value: number) => harness.push(...ids.map((id): LiveValue => [id, value, value, 0]))

test('of more points than a connection may have, the console has as many as fit, and the others when there is room', async () => {
  await open()
  const values = heard()
  console.wanted = () => numbers(1, 3500)
  say(numbers(1, 3500), 1)
  await console.start(1)
  await vi.waitFor(() => expect(values.size).toBe(2000))
  console.wanted = () => numbers(1801, 3500)
  void console.sync()
  await vi.waitFor(() => expect(values.size).toBe(3500))
  values.clear()
  say(numbers(1, 3500), 2)
  await vi.waitFor(() => expect([...values.keys()].sort((a, b) => a - b)).toEqual(numbers(1801, 3500)))
})

test('a refused call is repeated', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  let asked = 0
  await open({
    limits: { ...standardLimits, idsWaiting: 2500 },
    visible: async (_actor, ids) => {
      asked = ids.length
      if (asked === 1000) await held
      return [...ids]
    },
  })
  const values = heard()
  say(numbers(1, 2000), 1)
  await console.start(1)
  // The same person's other tab has filled the queue.
  const other = await harness.client('root')
  const waiting = other.invoke('Subscribe', numbers(1, 1000))
  await vi.waitFor(() => expect(asked).toBe(1000))
  console.wanted = () => numbers(1, 2000)
  void console.sync()
  await vi.waitFor(() => expect(harness.hub.stats().refused).toBeGreaterThan(0))
  release()
  await waiting
  await vi.waitFor(() => expect(values.size).toBe(2000), 5000)
})

test('alarm texts follow the language of the page, also after a reconnection', async () => {
  await open()
  const texts: string[] = []
  console.on('Alarm', ({ RuleName }) => texts.push(RuleName))
  const alarm = { Id: 1, Event: 'raised' as const, AlarmLevel: 2, DeviceId: null, ParaId: null, Value: null, Time: 0 }
  const hears = async (expected: string) => {
    await vi.waitFor(() => {
      harness.hub.sendIn({ EnterpriseId: 1 }, 'Alarm', (language) => [{ ...alarm, RuleName: language }])
      expect(texts.at(-1)).toBe(expected)
    })
  }
  await startWords()
  await applyLanguage('en')
  await console.start(1)
  await hears('en')
  await applyLanguage('es')
  await hears('es')
  const states: string[] = []
  console.onState(() => states.push(console.state))
  harness.hub.endSessions(() => true, 'renewed')
  await vi.waitFor(() => expect(states.slice(-2)).toEqual(['interrupted', 'live']))
  texts.length = 0
  await hears('es')
  await applyLanguage('en')
})
