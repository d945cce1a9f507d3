// What alarms of a limit of a Bool are called, wherever people read them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Wrapper } from '../../../../contract/call.ts'
import { languages } from '../../../../contract/languages.ts'
import { type Area, at, openJournal, startArea } from './harness.ts'

let area: Area
beforeAll(async () => {
  area = await startArea()
})
afterAll(() => area.kit.close())

const names = {
  'with texts': ['Pump 1', { OneText: 'Tripped' }, 'Pump 1: Tripped', 'Pump 1: Tripped', 'Pump 1: Tripped', 'Pump 1: Tripped'],
  'named after its text': ['Pump 2 tripped', { OneText: 'Tripped' }, ...Array(4).fill('Pump 2 tripped')],
  'with an empty text': ['Pump 3', { OneText: '' }, 'Pump 3: On', 'Pump 3：开', 'Pump 3: Encendido', 'Pump 3：オン'],
  'raised by its 0': [
    'Pump 4',
    { ZeroText: null, AlarmLow: 0.5, AlarmHigh: null },
    ...['Pump 4: Off', 'Pump 4：关', 'Pump 4: Apagado', 'Pump 4：オフ'],
  ],
  'not a Bool': ['Pump 5', { ParaDataType: 7 }, ...Array(4).fill('Pump 5 > 0.5')],
} as const

test('an alarm of a Bool is named by its state, in the language of the reader, in lists, alone, in sheets and live', async () => {
  const journal = openJournal()
  const { pushed } = area.start(journal)
  const request = async (language: string, path: string, method: 'GET' | 'POST' = 'GET', body?: object) =>
    (await area.kit.request('owner', method, path, body, { 'accept-language': language })) as { body: string; json<T>(): Wrapper<T> }
  const found = async (language: string, search: string) =>
    (await request(language, `/Alarm/AlarmInfo/List?Search=${encodeURIComponent(search)}`))
      .json<{ Items: { Id: number; RuleName: string }[] }>()
      .Data!.Items.map((a) => a.RuleName)
  for (const [what, [ParaName, given, en, zh, es, ja]] of Object.entries(names)) {
    const expected: Record<string, string> = { en, zh, es, ja }
    const point = await area.makePoint({ ParaName, ParaDataType: 0, AlarmLow: null, AlarmHigh: 0.5, ...given })
    const [calm, raising] = en.endsWith('Off') ? [1, 0] : [0, 1]
    journal.write(at(point, 1, calm), at(point, 2, raising))
    await vi.waitFor(async () => expect(await area.alarmsOf(point)).toHaveLength(1))
    const { Id } = (await area.alarmsOf(point))[0]!
    for (const language of languages) {
      const name = expected[language]
      const alone = await request(language, '/AlarmManagement/AlarmInfo/Detail', 'POST', { Id })
      expect([what, alone.json<{ RuleName: string }>().Data!.RuleName]).toEqual([what, name])
      expect(await found(language, name!.slice(-4))).toContain(name)
      const sheet = await request(language, '/Alarm/AlarmInfo/Output?Format=csv&Fields=RuleName')
      expect(sheet.body.split('\r\n')).toContain(name)
      const live = pushed.filter((p) => p.Id === Id && (p.language ?? language) === language)
      expect(live.map((p) => p.RuleName)).toEqual([name])
    }
  }
  expect(await found('zh', 'On')).toEqual([])
})
